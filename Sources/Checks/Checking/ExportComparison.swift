import Base
import HTTPClient

/// Compares an export, while it arrives, with the users of a walk: the same ids in the same order, and then their
/// number.
final class ExportComparison {
    private let address: WebAddress
    private let ids: [Int64]
    private var count = 0
    private var proof: Int64?
    /// The start of an incomplete line.
    private let carried = ByteBuffer(capacity: 4096)
    /// 2 MiB: twice the limit for an imported record.
    private static let maxLineBytes = 2 << 20

    init(of address: WebAddress, with ids: [Int64]) {
        self.address = address
        self.ids = ids
    }

    /// Receives a part of the export. Throws a ``RollcallError``.
    func take(_ chunk: Bytes) throws {
        var rest = chunk
        while let end = rest.firstIndex(of: 0x0A) {
            carried.append(rest[..<end])
            try carried.withBytes { try take(line: $0) }
            carried.removeAll()
            rest = rest[(end + 1)...]
        }
        carried.append(rest)
        if carried.count > Self.maxLineBytes {
            throw RollcallError(at: address, "line \(count + 1) is longer than 2 MiB")
        }
    }

    /// Ends the export. Throws a ``RollcallError`` if it is incomplete.
    func finish() throws {
        guard carried.isEmpty, let proof else {
            throw RollcallError(at: address, "is cut off after \(count) users: expected a last line with their number")
        }
        guard proof == count, count == ids.count else {
            throw RollcallError(
                at: address, "has \(count) users and says \(proof), expected \(ids.count) as in the lists")
        }
    }

    private func take(line: Bytes) throws {
        if proof != nil { throw RollcallError(at: address, "expected nothing after the line with the number of users") }
        var id: Int64?
        do {
            try JSON.forEachMember(of: line) { key, value in
                if id == nil, key.equals("id") { id = value.int64 }
                if key.equals("rollcall"), count > 0 || ids.isEmpty { proof = try Self.proof(in: value.raw) }
            }
        } catch { throw RollcallError(at: address, "line \(count + 1): expected a JSON object: \(error)") }
        guard let id else {
            if proof == nil { throw RollcallError(at: address, "line \(count + 1): expected an \"id\", found none") }
            return
        }
        proof = nil
        guard count < ids.count else { throw RollcallError(at: address, "has user \(id), who is in none of the lists") }
        guard ids[count] == id else {
            throw RollcallError(
                at: address, "line \(count + 1): expected user \(ids[count]) as in the lists, found user \(id)")
        }
        count += 1
    }

    private static func proof(in object: Bytes) throws -> Int64? {
        var count: Int64?
        try JSON.forEachMember(of: object) { key, value in if key.equals("count") { count = value.int64 } }
        return count
    }
}
