import ArgumentParser

/// The option of commands that print for people or for programs.
struct ListFormatOption: ParsableArguments {
    @Option(help: "The format: text or json.")
    var format = ListFormat.text
}

/// The format of a list of directories.
enum ListFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json
}
