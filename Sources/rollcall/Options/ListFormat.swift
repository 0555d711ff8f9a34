import ArgumentParser

/// The option of commands that print for people or for programs.
struct ListFormatOption: ParsableArguments {
    @Option(help: "The format: text or json.")
    var format = TextFormat.text
}

/// The format of lists and of progress: for people or for programs.
enum TextFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json
}
