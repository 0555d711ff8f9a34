import Base
import CPostgreSQL

/// Types of PostgreSQL by their numbers (`pg_type.dat`), which never change.
enum PostgresType {
    static let bool: Oid = 16
    static let bytea: Oid = 17
    static let name: Oid = 19
    static let int8: Oid = 20
    static let int2: Oid = 21
    static let int4: Oid = 23
    static let text: Oid = 25
    static let oid: Oid = 26
    static let varchar: Oid = 1043
    static let byteaArray: Oid = 1001
    static let int8Array: Oid = 1016

    /// Types whose binary form ``PostgresStatement`` reads.
    static let readable: Set<Oid> = [bool, bytea, name, int8, int2, int4, text, oid, varchar]
}

/// The values bound to a statement, in the form in which libpq takes them.
final class PostgresParameters {
    let count: Int32
    let values: UnsafeMutablePointer<UnsafePointer<CChar>?>
    let lengths: UnsafeMutablePointer<Int32>
    /// 1 for binary, for all.
    let formats: UnsafeMutablePointer<Int32>
    /// The types of values that were bound last; 0 for `NULL` and for what was never bound.
    private(set) var types: [Oid]
    /// Numbers in the sequence of bytes of the network.
    private let numbers: UnsafeMutablePointer<Int64>
    private var copies: [ByteBuffer?]

    init(count: Int) {
        self.count = Int32(count)
        values = .allocate(capacity: count)
        values.initialize(repeating: nil, count: count)
        lengths = .allocate(capacity: count)
        lengths.initialize(repeating: 0, count: count)
        formats = .allocate(capacity: count)
        formats.initialize(repeating: 1, count: count)
        numbers = .allocate(capacity: count)
        numbers.initialize(repeating: 0, count: count)
        types = Array(repeating: 0, count: count)
        copies = Array(repeating: nil, count: count)
    }

    deinit {
        values.deallocate()
        lengths.deallocate()
        formats.deallocate()
        numbers.deallocate()
    }

    func fit(_ types: [Oid]) -> Bool { zip(self.types, types).allSatisfy { $0 == 0 || $0 == $1 } }

    func set(_ number: Int64, at index: Int32) {
        guard let index = place(index) else { return }
        numbers[index] = number.bigEndian
        values[index] = UnsafeRawPointer(numbers + index).assumingMemoryBound(to: CChar.self)
        lengths[index] = 8
        types[index] = PostgresType.int8
    }

    func set(_ bytes: UnsafeRawBufferPointer, _ type: Oid, at index: Int32) {
        guard let index = place(index) else { return }
        // An empty value must have an address: none stands for `NULL`.
        let start = bytes.baseAddress ?? UnsafeRawPointer(numbers + index)
        values[index] = start.assumingMemoryBound(to: CChar.self)
        lengths[index] = Int32(bytes.count)
        types[index] = type
    }

    func setCopy(of bytes: UnsafeRawBufferPointer, _ type: Oid, at index: Int32) {
        guard let place = place(index) else { return }
        let copy = copies[place] ?? ByteBuffer(capacity: max(16, bytes.count))
        copies[place] = copy
        copy.removeAll()
        copy.append(bytes)
        set(copy.bytes, type, at: index)
    }

    func setNull(at index: Int32) {
        guard let index = place(index) else { return }
        values[index] = nil
        lengths[index] = 0
        types[index] = 0
    }

    /// Returns the place of a parameter, or `nil` if the statement has none with that number: one text may use more of
    /// the same values than another.
    private func place(_ index: Int32) -> Int? { index >= 1 && index <= count ? Int(index) - 1 : nil }
}

extension ByteBuffer {
    func append(word: Int32) { withUnsafeBytes(of: word.bigEndian) { append($0) } }

    func append(bigEndian number: Int64) { withUnsafeBytes(of: number.bigEndian) { append($0) } }
}

/// Returns SQL whose parameters `?` and `?1` are replaced by PostgreSQL's `$1`, and their number. As in SQLite, `?` is
/// the parameter after the greatest one before it. No other `?` may stand in the text, neither in a literal nor in a
/// comment.
func numberingParameters(of text: String) -> (sql: String, count: Int) {
    let parts = text.split(separator: "?", omittingEmptySubsequences: false)
    var (sql, count) = (String(parts[0]), 0)
    for part in parts.dropFirst() {
        let digits = part.prefix { ("0"..."9").contains($0) }
        let number = Int(digits) ?? count + 1
        count = max(count, number)
        sql += "$\(number)\(part[digits.endIndex...])"
    }
    return (sql, count)
}
