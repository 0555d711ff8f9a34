import ArgumentParser
import Base
import Foundation
import People

/// The program. Only this target turns flags and environment variables into configuration.
@main
struct Rollcall: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollcall",
        abstract: "Publish a directory of people on the web.",
        discussion: """
            rollcall demo                       serve made-up people, to look around
            rollcall people.xlsx                show a file of people, and follow its changes
            rollcall import file people.csv     fill a directory of the database
            rollcall serve                      serve the database
            rollcall pictures                   fetch people's pictures
            rollcall export > people.ndjson     write a directory out
            rollcall wall -o people.svg         write an image of many faces
            rollcall list --into README.md      write people as a table
            rollcall templates                  list, copy and compare templates of pages
            rollcall forget LOGIN               remove a person for good
            rollcall show PERSON                print what is stored about a person
            rollcall directories                list, describe or remove directories
            rollcall backup copy.sqlite         copy the database while it is in use
            rollcall copy people.sqlite postgres://host/people   copy a database to another kind of store
            rollcall check http://127.0.0.1:8080/   prove that a directory is complete

            Options can also be set by environment variables: ROLLCALL_ and the option's name, as in ROLLCALL_PORT=80 or \
            ROLLCALL_UNIX_SOCKET=/run/rollcall.sock. The command line takes precedence.
            """,
        version: "rollcall \(version)",
        subcommands: [
            Serve.self, Demo.self, Open.self, Import.self, PicturesCommand.self, Export.self, Forget.self, Show.self,
            DirectoriesCommand.self,
            Backup.self, CopyCommand.self,
            Check.self, WallCommand.self, ListCommand.self, TemplatesCommand.self, PictureWorkerCommand.self,
        ])

    /// Tests/lint compares it with CHANGELOG.md and debian/changelog.
    static let version = "0.9.0"

    /// The prefix of all errors, in the style of `cat` and `git`.
    static var _errorPrefix: String { "rollcall: " }

    static func main() {
        StandardStreams.keepClosedOnesClosed()
        // A file that exceeds its size limit is an error to report, instead of a silent end by a signal.
        signal(SIGXFSZ, SIG_IGN)
        // Foundation takes an empty one for the root of the file system.
        if SystemValues.variable("TMPDIR") == "" { SystemValues.unset("TMPDIR") }
        Memory.configureAllocator()
        exit(withError: status(of: Arguments.given))
    }

    /// Runs the command that `arguments` name, prints what went wrong, and returns the exit status: 1 for wrong
    /// arguments, too, where the parser would use 64, because imports promise 0, 1 or 2.
    static func status(of arguments: [String]) -> ExitCode {
        do {
            try run(arguments)
            return .success
        } catch let error as ValidationError {
            StandardStreams.write("\(_errorPrefix)\(error.message)\n")
        } catch  where exitCode(for: error) == .validationFailure {
            // Leaves out the usage line: it names every option and would hide the error.
            let lines = fullMessage(for: error).split(separator: "\n").filter { !$0.hasPrefix("Usage: ") }
            let message = Environment.suggesting(lines.joined(separator: "\n"), for: arguments)
            StandardStreams.write(Environment.explaining(message) + "\n")
        } catch let failure as any StoreFailure where failure.kind == .interruption {
            StandardStreams.remark("\(failure). Run the same command again when the database can be reached")
        } catch let failure as any StoreFailure where failure.kind == .forLater {
            StandardStreams.remark("\(failure)")
            return ExitCode(RunOutcome.busy.status)
        } catch {
            let (code, message) = (exitCode(for: error), fullMessage(for: error))
            // Help and versions are not errors.
            if code.isSuccess {
                StandardStreams.writeExactly(message + "\n", to: STDOUT_FILENO)
            } else if !message.isEmpty {
                StandardStreams.write(message + "\n")
            }
            return code
        }
        return .failure
    }

    private static func run(_ given: [String]) throws {
        var arguments = Arguments.joiningOrders(given)
        try refuseBundles(arguments)
        try CommandHints.checkImport(arguments)
        arguments = try CommandHints.spelledOut(arguments)
        try OpenAddress.refuseOthers(arguments)
        arguments = try Environment.completed(Arguments.spelledOut(arguments))
        var command = try parseAsRoot(arguments)
        try Arguments.refuseOtherBytes(arguments, of: command)
        try command.run()
    }

    /// Rejects `-dash`, which the parser would read as `-d -a -s -h`: "forget -dash" would print the help and exit with
    /// 0.
    private static func refuseBundles(_ arguments: some Sequence<String>) throws {
        for argument in arguments.prefix(while: { $0 != "--" }) {
            guard argument.count > 2, argument.hasPrefix("-"), !argument.hasPrefix("--"), Int(argument) == nil else {
                continue
            }
            throw ValidationError(
                "\"\(argument.printable)\" is not an option; put \"--\" before an argument that begins with a dash")
        }
    }
}
