import Foundation

/// The resource usage that Linux reports for a running program.
extension Program {
    /// What each descriptor of an open file or socket stands for.
    private var descriptors: [Int: String] {
        let folder = "/proc/\(processID)/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.reduce(into: [:]) { found, name in
            guard let descriptor = Int(name) else { return }
            found[descriptor] = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
        }
    }

    /// The limit of open files that leaves room for this many more. Descriptors may have gaps between them, because a
    /// program inherits what other tests hold open when it starts.
    public func descriptorLimit(leaving room: Int) -> Int {
        let taken = descriptors
        var (limit, free) = (0, 0)
        while free < room {
            if taken[limit] == nil { free += 1 }
            limit += 1
        }
        return limit
    }

    public var openSockets: Int { descriptors.values.count { $0.hasPrefix("socket:") } }

    /// Memory in use, in KiB.
    public var residentKiB: Int { ProcessFiles(processID).kiB("VmRSS:") }

    /// The peak resident memory so far, in KiB.
    public var mostResidentKiB: Int { ProcessFiles(processID).kiB("VmHWM:") }

    /// User and system time so far, in hundredths of a second.
    public var ticks: Int { ProcessFiles(processID).fields?[11...12].compactMap { Int($0) }.reduce(0, +) ?? 0 }
}

/// What Linux tells about a process (proc(5)).
public struct ProcessFiles {
    private let folder: String

    public init(_ processID: Int32) { folder = "/proc/\(processID)" }

    /// An amount of memory, such as `VmHWM:`, the most that was ever resident.
    public func kiB(_ name: String) -> Int {
        let status = (try? String(contentsOfFile: folder + "/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
        return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }

    /// The fields of `stat` after the name, which may contain any character; `nil` once the process is gone.
    public var fields: [Substring]? {
        guard let text = try? String(contentsOfFile: folder + "/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return nil }
        return text[text.index(after: end)...].split(separator: " ")
    }
}

/// Waits for at most a minute until `condition` is true.
public func eventually(_ what: String, _ condition: () throws -> Bool) throws {
    let end = ContinuousClock.now + .seconds(60)
    while try !condition() {
        guard ContinuousClock.now < end else { throw Failure("did not happen within a minute: \(what)") }
        Thread.sleep(forTimeInterval: 0.01)
    }
}

extension Program {
    /// Waits until `condition` is true or the program has ended. Throws after two minutes.
    public func wait(until what: String, _ condition: () throws -> Bool) throws {
        let end = ContinuousClock.now + .seconds(120)
        while try !condition(), isRunning {
            guard ContinuousClock.now < end else {
                throw Failure("did not happen within two minutes: \(what); found: \(output)\(errors)")
            }
            Thread.sleep(forTimeInterval: 0.002)
        }
    }
}

extension Program {
    /// Returns what `find` finds, once it does. Throws when the program ends before that, or after a minute.
    func wait<Found>(for what: String, _ find: () -> Found?) throws -> Found {
        let end = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < end {
            let hasEnded = !isRunning
            if let found = find() { return found }
            if hasEnded { break }
            Thread.sleep(forTimeInterval: 0.005)
        }
        throw Failure("expected \(what), found: \(output)\(errors)")
    }

    /// The TCP port that the program listens on with IPv4, as Linux knows it.
    var listeningPort: Int? {
        let open = Set(descriptors.values)
        // Listening sockets come first. Behind them may be thousands of closed connections of other tests.
        let file = URL(filePath: "/proc/\(processID)/net/tcp")
        let table = try? FileHandle(forReadingFrom: file).read(upToCount: 1 << 20)
        let sockets = String(decoding: table ?? Data(), as: UTF8.self).split(separator: "\n").dropFirst().lazy
        // Fields of a line: number, local address, remote address, state, and the inode as the tenth.
        for fields in sockets.map({ $0.split(separator: " ") }) {
            guard fields.count > 9, fields[3] == "0A" else { break }
            if open.contains("socket:[\(fields[9])]") { return Int(fields[1].suffix(4), radix: 16) }
        }
        return nil
    }
}
