import ArgumentParser
import People
import Publishing

/// The option of commands about people wherever they are.
struct ScopeOption: ParsableArguments {
    @Option(help: "In this directory only; by default in all.")
    var directory: Slug?

    /// Returns the slug of the directory, or `nil` for all of them.
    func slug(in store: any PublisherStore) throws -> Slug? {
        try directory.map { try store.directory(named: $0).slug }
    }

    /// Says that the environment names the directory, to somebody who may expect all of them.
    func noteVariable() {
        guard let directory, Environment.sets("directory") else { return }
        StandardStreams.remark("only in \(directory), because ROLLCALL_DIRECTORY is set")
    }
}

struct DirectoryOption: ParsableArguments {
    @Option(
        help: """
            The directory; by default the database's default directory. `rollcall serve` shows it where a URL names \
            none.
            """)
    var directory: Slug?
}

struct TitleOption: ParsableArguments {
    @Option(
        help: """
            The title of the directory, for people; by default the one it has, or for a new one the name of the file in \
            words, or its slug.
            """)
    var title: String?

    func validate() throws { try expectLine(title, of: "--title") }
}

/// The options of commands that take something of people away, or let them have it again.
struct PersonOptions: ParsableArguments {
    @Option(
        name: .customLong("id"), parsing: .unconditionalSingleValue, value: "number",
        help: "The id of a person, in --directory or the only directory; repeatable.")
    var ids: [Int64] = []

    @Flag(
        help: """
            Take it back: later imports may add these people again, or the next `rollcall pictures` may fetch their \
            pictures. The command itself brings nobody back.
            """)
    var undo = false
}
