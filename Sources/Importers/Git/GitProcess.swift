import Base
import Foundation

/// A git process in a repository.
struct GitProcess {
    private let path: String
    private let process = Process()
    private let output = Pipe()
    private let complaints = ErrorOutput()

    /// Runs git with `arguments`.
    ///
    /// - Parameter input: the lines that git reads from its standard input.
    init(_ path: String, _ arguments: [String], input: [String] = []) throws(ImportError) {
        self.path = path
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // `-C` takes the next argument literally, even if it starts with a hyphen.
        process.arguments =
            ["git", "-C", path, "--no-pager", "-c", "log.showSignature=false", "-c", "color.ui=false"] + arguments
        var environment = ProcessInfo.processInfo.environment.filter {
            !$0.key.hasPrefix("GIT_") || $0.key.hasPrefix("GIT_CONFIG")
        }
        environment["LC_ALL"] = "C"
        environment["GIT_TERMINAL_PROMPT"] = "0"
        process.environment = environment
        let lines = Pipe()
        process.standardInput = input.isEmpty ? FileHandle.nullDevice : lines
        process.standardOutput = output
        process.standardError = complaints.pipe
        do { try process.run() } catch { throw ImportError("cannot run git: \(error)") }
        complaints.collect()
        if !input.isEmpty { Self.write(input, to: lines.fileHandleForWriting) }
    }

    /// Writes on a queue of its own, so that git can print output while it reads.
    private static func write(_ lines: [String], to input: FileHandle) {
        DispatchQueue(label: "git input").async {
            // If git ends early, its error message says why.
            try? input.write(contentsOf: Data((lines.joined(separator: "\n") + "\n").utf8))
            try? input.close()
        }
    }

    /// Calls `body` with each line that git prints, and throws git's error message if it fails.
    func forEachLine(_ sink: ImportSink, _ body: (UnsafeRawBufferPointer) -> Void) throws {
        let source = ByteSource(descriptor: output.fileHandleForReading.fileDescriptor, name: "git")
        let carried = ByteBuffer()
        do {
            while let chunk = try source.next(whileWaiting: { try sink.tick() }) {
                try sink.tick(bytesRead: source.bytesRead)
                var rest = chunk
                while let end = rest.firstIndex(of: 0x0A) {
                    carried.append(UnsafeRawBufferPointer(rebasing: rest[..<end]))
                    body(carried.bytes)
                    carried.removeAll()
                    rest = UnsafeRawBufferPointer(rebasing: rest[(end + 1)...])
                }
                carried.append(rest)
            }
        } catch {
            process.terminate()
            process.waitUntilExit()
            throw error
        }
        try finish()
    }

    /// Returns git's output without the final line feed.
    func text(_ sink: ImportSink) throws -> String {
        var lines: [String] = []
        try forEachLine(sink) { lines.append(String(decoding: $0, as: UTF8.self)) }
        return lines.joined(separator: "\n")
    }

    private func finish() throws {
        process.waitUntilExit()
        if process.terminationStatus == 0 { return }
        // env(1) exits with 127 if it does not find the program.
        if process.terminationStatus == 127 { throw ImportError("cannot run git: it is not installed") }
        let complaint = complaints.text
        if complaint.contains("does not have any commits") || complaint.contains("bad revision")
            || complaint.contains("ambiguous argument 'HEAD'") || complaint.contains("bad object HEAD")
        {
            throw ImportError("cannot import \(path): the repository has no commits")
        }
        let line =
            complaint.split(separator: "\n").first.map(String.init) ?? "git answered \(process.terminationStatus)"
        throw ImportError("cannot import \(path): \(line.replacingOccurrences(of: "fatal: ", with: ""))")
    }
}

/// The error output of a process, read on a queue of its own so that no full pipe blocks the process.
private final class ErrorOutput: Sendable {
    let pipe = Pipe()
    private let collected = BoundedQueue<String>(capacity: 1)

    func collect() {
        DispatchQueue(label: "git errors").async { [self] in
            let data = pipe.fileHandleForReading.readDataToEndOfFile()
            _ = collected.put(String(decoding: data, as: UTF8.self))
        }
    }

    /// The complete output. Waits for the end of the process.
    var text: String { collected.take() ?? "" }
}
