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
        try address.expect(carried.count <= Self.maxLineBytes, "line \(count + 1) is longer than 2 MiB")
    }

    /// Ends the export. Throws a ``RollcallError`` if it is incomplete.
    func finish() throws {
        guard carried.isEmpty, let proof else {
            throw address.fault("is cut off after \(count) users: expected a last line with their number")
        }
        try address.expect(
            proof == count && count == ids.count,
            "has \(count) users and says \(proof), expected \(ids.count) as in the lists")
    }

    private func take(line: Bytes) throws {
        try address.expect(proof == nil, "expected nothing after the line with the number of users")
        var id: Int64?
        do {
            try JSON.forEachMember(of: line) { key, value in
                if id == nil, key.equals("id") { id = value.int64 }
                if key.equals("rollcall"), count > 0 || ids.isEmpty {
                    proof = JSON.Members(of: value.raw)["count"]?.int64
                }
            }
        } catch { throw address.fault("line \(count + 1): expected a JSON object: \(error)") }
        guard let id else {
            return try address.expect(proof != nil, "line \(count + 1): expected an \"id\", found none")
        }
        proof = nil
        try address.expect(count < ids.count, "has user \(id), who is in none of the lists")
        try address.expect(
            ids[count] == id, "line \(count + 1): expected user \(ids[count]) as in the lists, found user \(id)")
        count += 1
    }
}
