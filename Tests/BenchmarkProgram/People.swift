import Base
import Foundation
import Importers
import TestSupport

/// Generated users, the same every time, as a file and as a database that the real program imported.
struct People {
    let count: Int
    let folder: URL

    var file: URL { folder.appending(path: "people-\(count).ndjson") }
    var database: URL { folder.appending(path: "people-\(count).sqlite") }
    /// The `n`th demo user has an id from 7 n + 1 to 7 n + 7.
    var lastID: Int64 { Int64(count) * 7 }

    /// Writes the file unless it exists.
    func write() throws {
        if FileManager.default.fileExists(atPath: file.path) { return }
        let part = file.appendingPathExtension("part")
        // Not a FileHandle, which keeps everything written in memory until the end.
        guard let stream = OutputStream(url: part, append: false) else {
            throw Failure("\(part.path) cannot be written")
        }
        stream.open()
        defer { stream.close() }
        let buffer = ByteBuffer(capacity: 1 << 20)
        for user in DemoPeople.users(count: count) {
            buffer.append("{\"id\":")
            buffer.append(decimal: user.id)
            append(",\"login\":", user.login, to: buffer)
            append(",\"name\":", user.name, to: buffer)
            append(",\"avatar_url\":", "https://avatars.example.org/u/\(user.id)?v=4", to: buffer)
            append(",\"html_url\":", user.id % 3 == 0 ? nil : "https://example.org/people/\(user.login)", to: buffer)
            append(",\"type\":", "User", to: buffer)
            buffer.append(",\"reputation\":")
            buffer.append(decimal: user.id * 7919 % 4001)
            buffer.append("}\n")
            if buffer.count > 1 << 19 { try flush(buffer, to: stream) }
        }
        try flush(buffer, to: stream)
        try FileManager.default.moveItem(at: part, to: file)
    }

    private func flush(_ buffer: ByteBuffer, to stream: OutputStream) throws {
        let count = buffer.count
        guard count > 0, let start = buffer.bytes.bindMemory(to: UInt8.self).baseAddress else { return }
        guard stream.write(start, maxLength: count) == count else {
            throw Failure("\(file.path) cannot be written: \(stream.streamError.map { "\($0)" } ?? "the disk is full")")
        }
        buffer.removeAll()
    }

    private func append(_ key: StaticString, _ value: String?, to buffer: ByteBuffer) {
        buffer.append(key)
        guard let value else { return buffer.append("null") }
        Array(value.utf8).withUnsafeBytes { buffer.append(jsonString: $0) }
    }

    struct Imported {
        var usersPerSecond: Double
        var cpuMicroseconds: Double
        var peakMemory: Double
        /// The size of the database in bytes per user.
        var size = Double.nan
    }

    /// Imports the file into a new database with the real program.
    func importFile() throws -> Imported {
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: database.path + suffix) }
        var imported = try importFile(into: database.path)
        let size = try FileManager.default.attributesOfItem(atPath: database.path)[.size] as? Int ?? 0
        imported.size = Double(size) / Double(count)
        return imported
    }

    /// Imports the file into the database of this path or URL. Its size is unknown.
    func importFile(into database: String) throws -> Imported {
        try write()
        let start = ContinuousClock.now
        let program = try Program(
            RollcallProcess.executable(),
            ["import", "file", file.path, "--directory", "people", "--database", database])
        // Sampled while the program runs, because getrusage(2) would also count the memory of the process that started
        // it. Only this one process is read: searching all processes for its children took a third of a core.
        var peak = 0
        while program.isRunning {
            peak = max(peak, program.mostResidentKiB)
            Thread.sleep(forTimeInterval: 0.005)
        }
        let status = program.wait()
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        guard status == 0 else { throw Failure("the import failed: \(program.output)\(program.errors)") }
        return Imported(
            usersPerSecond: Double(count) / seconds,
            cpuMicroseconds: program.cpuSeconds / Double(count) * 1e6, peakMemory: Double(peak) / 1024)
    }
}
