import Base

/// Numbers the members of records by their names. The records of a directory have their members in one order, so most
/// names are found at the first comparison.
struct MemberNumbers: Sendable {
    /// All names, one after another, and where each is.
    private let text: [UInt8]
    private let slices: [ByteSlice]

    /// - Parameter names: Different ones, whose indexes are the numbers.
    init(_ names: [String]) {
        var text: [UInt8] = []
        slices = names.map { name in
            let start = text.count
            text += name.utf8
            return ByteSlice(offset: start, count: text.count - start)
        }
        self.text = text
    }

    var count: Int { slices.count }

    /// Calls `body` with each member of the object `record` and its number, which is `nil` for another name. Throws an
    /// error if `record` is not an object.
    func forEachMember(
        of record: UnsafeRawBufferPointer, _ body: (_ number: Int?, JSONString, JSONValue) -> Void
    ) throws {
        try text.withUnsafeBytes { names in
            var next = 0
            try JSON.forEachMember(of: record) { key, value in
                let found =
                    key.hasEscapes
                    ? Array(key.text.utf8).withUnsafeBytes { number(of: $0, names, next) }
                    : number(of: key.raw, names, next)
                if let found { next = found + 1 }
                body(found, key, value)
            }
        }
    }

    /// Tries the number `next` first.
    private func number(of key: UnsafeRawBufferPointer, _ names: UnsafeRawBufferPointer, _ next: Int) -> Int? {
        if next < slices.count, isName(next, key, names) { return next }
        for number in 0..<slices.count where isName(number, key, names) { return number }
        return nil
    }

    // Most names differ in length already.
    @inline(__always)
    private func isName(_ number: Int, _ key: UnsafeRawBufferPointer, _ names: UnsafeRawBufferPointer) -> Bool {
        slices[number].count == key.count && key.equals(names[slices[number]])
    }
}
