import ArgumentParser
import Base
import Glibc
import Synchronization

/// Standard input, output and error. Each may be closed, on a full disk, or a pipe without a reader.
///
/// All that people read goes through here or through ``print(_:terminator:)``, which let no character act on the
/// terminal: names, headings and file names are other people's texts.
enum StandardStreams {
    /// Writes a text for people to standard error, or to another descriptor. Errors are ignored.
    ///
    /// - Parameter isOverLine: Whether the text replaces the line in which the cursor of the terminal is.
    static func write(_ text: String, to descriptor: Int32 = STDERR_FILENO, isOverLine: Bool = false) {
        writeExactly((isOverLine ? "\r\u{1B}[K" : "") + text.printableLines, to: descriptor)
    }

    /// Writes a text for programs, such as a template.
    static func writeExactly(_ text: String, to descriptor: Int32) { outlet.write(text, descriptor) }

    /// Writes what people like to know, and need not. See ``write(_:to:isOverLine:)``.
    static func note(_ text: String, to descriptor: Int32 = STDERR_FILENO, isOverLine: Bool = false) {
        if !leavesOutNotes { write(text, to: descriptor, isOverLine: isOverLine) }
    }

    /// Shows on a terminal how far a command is, in the line of the cursor.
    static func overwrite(_ text: String) {
        if isTerminal { note(text, isOverLine: true) }
    }

    /// Writes a line about what a command was asked for, in the style of its errors.
    static func remark(_ line: String) { write(Rollcall._errorPrefix + line.printable + "\n") }

    static func print(json: String) { writeExactly(json.printableJSON, to: STDOUT_FILENO) }

    /// Where texts go: to the streams of the process. A test that reads what a command says has another.
    @TaskLocal static var outlet: Outlet = Outlet(isTerminal: isatty(STDERR_FILENO) == 1) { text, descriptor in
        _ = text.withUTF8Bytes { SystemFile.write($0, to: descriptor) }
    }

    /// Whether ``note(_:to:isOverLine:)`` writes nothing: see ``QuietOption``.
    static var leavesOutNotes: Bool {
        get { outlet.isQuiet.load(ordering: .relaxed) }
        set { outlet.isQuiet.store(newValue, ordering: .relaxed) }
    }

    static var isTerminal: Bool { outlet.isTerminal }

    final class Outlet: Sendable {
        fileprivate let isTerminal: Bool
        fileprivate let isQuiet = Atomic(false)
        fileprivate let write: @Sendable (String, Int32) -> Void

        init(isTerminal: Bool = false, write: @escaping @Sendable (String, Int32) -> Void) {
            (self.isTerminal, self.write) = (isTerminal, write)
        }
    }

    /// Replaces closed standard streams by `/dev/null`, before any file is opened: a file would otherwise get the
    /// number of a closed stream, and its messages. The replacements are opened the wrong way round, so that reading
    /// from a closed input and writing to a closed output still fail.
    static func keepClosedOnesClosed() {
        for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(descriptor, F_GETFD) < 0 {
            // open(2) returns the lowest free number, which is this one.
            _ = SystemFile.open("/dev/null", mode)
        }
        // The loss of a reader, such as that of the log, must not end the program.
        signal(SIGPIPE, SIG_IGN)
    }
}

/// Prints a text for people, instead of Swift's function of this name.
func print(_ text: String, terminator: String = "\n") { StandardStreams.write(text + terminator, to: STDOUT_FILENO) }
