import ArgumentParser

/// The option for the language of a directory's people.
struct LanguageOption: ParsableArguments {
    @Option(value: "tag", help: "The language of names and headings, such as de.")
    var language: String?
}
