import ArgumentParser
import Foundation

/// The program. Flags and environment become configuration in this target, and nowhere else.
@main
struct Rollcall: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollcall",
        abstract: "Publish a directory of people on the web.",
        discussion: """
            rollcall demo                       made-up people, to look around
            rollcall import file people.csv     fill a database
            rollcall serve                      show it
            rollcall export > people.ndjson     write it out
            rollcall forget LOGIN               remove somebody for good
            rollcall directories                list, describe, rename and remove directories
            rollcall backup copy.sqlite         copy the database while it is in use
            rollcall check http://127.0.0.1:8080/   prove that everybody is there once and in order

            Every option can be set by an environment variable, too: ROLLCALL_ and its name, as in ROLLCALL_PORT=80 or
            ROLLCALL_UNIX_SOCKET=/run/rollcall.sock. What the command line says comes first.
            """,
        version: "rollcall \(version)",
        subcommands: [
            Serve.self, Demo.self, Import.self, Export.self, Forget.self, DirectoriesCommand.self, Backup.self,
            Check.self,
        ])

    static let version = "0.1.0"

    /// All errors begin like those of `cat` and `git`.
    static var _errorPrefix: String { "rollcall: " }

    static func main() {
        StandardStreams.keepClosedOnesClosed()
        // A file that may not grow is an error to be told, not a death without a word.
        signal(SIGXFSZ, SIG_IGN)
        Memory.giveBackLargeBlocks()
        do {
            try refuseBundles(CommandLine.arguments.dropFirst())
            do { try ImportAdvice.check(CommandLine.arguments.dropFirst()) } catch let error as ValidationError {
                fail("\(_errorPrefix)\(error.message)")
            }
            var command = try parseAsRoot()
            do { try command.run() } catch let error as ValidationError { fail("\(_errorPrefix)\(error.message)") }
        } catch  where exitCode(for: error) == .validationFailure {
            // But for the line of usage, which is as long as the command has options: what is wrong would drown in it.
            let lines = fullMessage(for: error).split(separator: "\n").filter { !$0.hasPrefix("Usage: ") }
            fail(lines.joined(separator: "\n"))
        } catch {
            exit(withError: error)
        }
    }

    /// Ends with status 1 for wrong arguments, too, where the parser would say 64: imports promise 0, 1 or 2.
    private static func fail(_ message: String) -> Never {
        StandardStreams.write(message + "\n")
        exit(withError: ExitCode.failure)
    }

    /// The parser takes `-dash` for `-d -a -s -h`, and `-h` for a wish: "forget -dash" would print the help, and end well.
    private static func refuseBundles(_ arguments: some Sequence<String>) throws {
        for argument in arguments.prefix(while: { $0 != "--" }) {
            guard argument.count > 2, argument.hasPrefix("-"), !argument.hasPrefix("--"), Int(argument) == nil else {
                continue
            }
            throw ValidationError(
                "\"\(argument.printable)\" is no option; what begins with a dash and is none goes after \"--\"")
        }
    }
}
