import ArgumentParser

struct LanguageOption: ParsableArguments {
    @Option(value: "tag", help: "The language of names and headings, such as de.")
    var language: String?
}
