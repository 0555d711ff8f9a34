import ArgumentParser

/// The option for the language of a directory's people.
struct LanguageOption: ParsableArguments {
    @Option(help: ArgumentHelp("The language of names and headings, such as de.", valueName: "tag"))
    var language: String?
}
