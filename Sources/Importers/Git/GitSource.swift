import Bytes
import Directories
import Foundation

/// The authors of a git repository: one person an address, commits as reputation, mailmap honoured.
///
/// Counted is what HEAD can reach. No e-mail address leaves this type: ids are hashes of addresses, salted with the
/// repository's oldest commit, and addresses that stand in for names are cut off at the `@`.
public struct GitSource: ImportSource {
    private let path: String

    public init(path: String) { self.path = path }

    public func read(into sink: ImportSink) throws {
        let salt = try salt(sink)
        if try Git(path, ["rev-parse", "--is-shallow-repository"]).text(sink) == "true" {
            sink.note(
                "\(path) is a shallow clone: only part of the history is counted, and the ids differ from those of a complete clone"
            )
        }
        // Mailmap applies to %aN and %aE. NUL stands in no name, and no name has a line feed.
        let log = try Git(path, ["log", "--use-mailmap", "--format=tformat:%aN%x00%aE%x00%at", "HEAD", "--"])
        var authors = GitAuthors()
        try log.forEachLine(sink) { authors.add(line: $0) }
        for user in authors.users(salt: salt) { try sink.add(user) }
    }

    /// The repository's oldest commit without parents, which every clone shares.
    private func salt(_ sink: ImportSink) throws -> String {
        var roots: [(time: Int, hash: String)] = []
        let log = try Git(path, ["log", "--max-parents=0", "--format=tformat:%ct %H", "HEAD", "--"])
        try log.forEachLine(sink) { line in
            let parts = String(decoding: line, as: UTF8.self).split(separator: " ")
            if parts.count == 2, let time = Int(parts[0]) { roots.append((time, String(parts[1]))) }
        }
        guard let oldest = roots.min(by: { ($0.time, $0.hash) < ($1.time, $1.hash) }) else {
            throw ImportError("cannot import \(path): the repository has no commits")
        }
        return oldest.hash
    }
}

/// A run of git in a repository.
struct Git {
    private let path: String
    private let process = Process()
    private let output = Pipe()
    private let complaints = ErrorOutput()

    init(_ path: String, _ arguments: [String]) throws(ImportError) {
        self.path = path
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // `-C` takes the next argument as it is, also one that starts with a hyphen.
        process.arguments =
            ["git", "-C", path, "--no-pager", "-c", "log.showSignature=false", "-c", "color.ui=false"] + arguments
        var environment = ProcessInfo.processInfo.environment.filter {
            !$0.key.hasPrefix("GIT_") || $0.key.hasPrefix("GIT_CONFIG")
        }
        environment["LC_ALL"] = "C"
        environment["GIT_TERMINAL_PROMPT"] = "0"
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = complaints.pipe
        do { try process.run() } catch { throw ImportError("cannot run git: \(error)") }
        complaints.collect()
    }

    /// Hands over the lines that git prints, and throws what it complains about.
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

    /// All that git prints, without the line feed at its end.
    func text(_ sink: ImportSink) throws -> String {
        var lines: [String] = []
        try forEachLine(sink) { lines.append(String(decoding: $0, as: UTF8.self)) }
        return lines.joined(separator: "\n")
    }

    private func finish() throws {
        process.waitUntilExit()
        if process.terminationStatus == 0 { return }
        // env(1) answers 127 where there is no such program.
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

/// What a process prints on its error output, read beside its output so that neither pipe can fill up and block it.
private final class ErrorOutput: Sendable {
    let pipe = Pipe()
    private let collected = BoundedQueue<String>(capacity: 1)

    func collect() {
        DispatchQueue(label: "git errors").async { [self] in
            let data = pipe.fileHandleForReading.readDataToEndOfFile()
            _ = collected.put(String(decoding: data, as: UTF8.self))
        }
    }

    /// All of it, once the process has ended.
    var text: String { collected.take() ?? "" }
}
