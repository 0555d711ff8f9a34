import Base
import Foundation

/// A git process in a repository.
struct GitProcess {
    private let repository: GitRepository
    /// Whether it may have to reach another machine.
    private let isRemote: Bool
    private let process: ChildProcess
    private let output = Pipe()
    private let errors = Pipe()
    /// The complete error output, which comes at the end of the process.
    private let complaints = BoundedQueue<String>(capacity: 1)

    /// Runs git with `arguments` in the folder of `repository`. It never asks for a name, a password or the key of a
    /// host.
    ///
    /// - Parameters:
    ///   - input: the lines that git reads from its standard input.
    ///   - folder: another folder to run in.
    init(
        _ arguments: [String], input: [String] = [], in folder: String? = nil, of repository: GitRepository
    ) throws(RollcallError) {
        self.repository = repository
        // A clone without files fetches the mailmap when it is needed.
        isRemote = repository.address != nil || ["fetch", "ls-remote"].contains(arguments[0])
        var environment = ProcessInfo.processInfo.environment.filter {
            !$0.key.hasPrefix("GIT_") || $0.key.hasPrefix("GIT_CONFIG")
        }
        environment["LC_ALL"] = "C"
        environment["GIT_TERMINAL_PROMPT"] = "0"
        // A program that prints nothing instead of one that asks.
        environment["GIT_ASKPASS"] = "true"
        environment["SSH_ASKPASS"] = "true"
        environment["GIT_SSH_COMMAND"] =
            (ProcessInfo.processInfo.environment["GIT_SSH_COMMAND"] ?? "ssh") + " -o BatchMode=yes"
        // No redirect and no configuration leads to a transport that runs commands.
        environment["GIT_ALLOW_PROTOCOL"] = "https:http:ssh:git:file"
        environment.merge(repository.address?.environment(beside: environment) ?? [:]) { $1 }
        let lines = Pipe()
        // `-C` takes the next argument literally, even if it starts with a hyphen.
        let options =
            ["-C", folder ?? repository.path, "--no-pager", "-c", "log.showSignature=false", "-c", "color.ui=false"]
        do {
            process = try ChildProcess(
                "git", options + arguments, environment: environment,
                input: input.isEmpty ? nil : lines.fileHandleForReading.fileDescriptor,
                output: output.fileHandleForWriting.fileDescriptor,
                errors: errors.fileHandleForWriting.fileDescriptor)
        } catch { throw RollcallError("cannot run \(error)") }
        // git alone holds its ends of the pipes: what it prints ends with it.
        try? output.fileHandleForWriting.close()
        try? errors.fileHandleForWriting.close()
        try? lines.fileHandleForReading.close()
        // On a queue of its own, so that no full pipe blocks the process.
        DispatchQueue(label: "git errors").async { [errors, complaints] in
            let data = errors.fileHandleForReading.readDataToEndOfFile()
            _ = complaints.put(String(decoding: data, as: UTF8.self))
        }
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
    func forEachLine(_ body: (UnsafeRawBufferPointer) -> Void) throws {
        let file = InputFile(lending: output.fileHandleForReading.fileDescriptor, name: "git")
        let carried = ByteBuffer()
        do {
            let source = try ByteSource(file) { bytesRead, _ in try repository.sink.tick(bytesRead: bytesRead) }
            while let chunk = try source.next() {
                try source.tick()
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
            kill(process.processID, SIGTERM)
            process.wait()
            throw error
        }
        try finish()
    }

    /// Returns git's output without the final line feed.
    func text() throws -> String {
        var lines: [String] = []
        try forEachLine { lines.append(String(decoding: $0, as: UTF8.self)) }
        return lines.joined(separator: "\n")
    }

    private func finish() throws {
        let status = process.wait()
        if status == 0 { return }
        let complaint = complaints.take() ?? ""
        let signs = ["does not have any commits", "bad revision", "ambiguous argument 'HEAD'", "bad object HEAD"]
        if signs.contains(where: complaint.contains) {
            throw RollcallError("cannot import \(repository.name): the repository has no commits")
        }
        let reason = "cannot import \(repository.name): \(Self.reason(in: complaint) ?? "git answered \(status)")"
        if isRemote, !Self.isLasting(complaint) { throw ServiceError(.comeBack(Date() + Self.pause), reason) }
        throw RollcallError(reason)
    }

    /// Returns the line that says what is wrong, and what git itself advises.
    static func reason(in complaint: String) -> String? {
        // ssh ends its lines as terminals do.
        let lines = complaint.split(whereSeparator: \.isNewline).map(String.init)
        let line = lines.first { $0.hasPrefix("ssh: ") } ?? lines.first { $0.hasPrefix("fatal: ") } ?? lines.first
        // The command that makes git trust a repository of another user.
        let advice = lines.first { $0.contains("safe.directory ") }?.trimmingCharacters(in: .whitespaces)
        return line.map {
            $0.replacingOccurrences(of: "fatal: ", with: "") + (advice.map { "; to read it: \($0)" } ?? "")
        }
    }

    /// How long to wait for a host that cannot be reached, in seconds.
    private static let pause = 300.0

    /// Whether the host was reached and refused: trying again does not help.
    private static func isLasting(_ complaint: String) -> Bool {
        let signs = [
            "not found", "does not exist", "not appear to be a git repository", "authentication failed",
            "could not read username", "permission denied", "host key verification failed", "not allowed",
            "error: 401", "error: 403", "error: 404",
        ]
        let complaint = complaint.lowercased()
        return signs.contains { complaint.contains($0) }
    }
}
