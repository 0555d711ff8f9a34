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

    /// Returns the number of a member by its name, or `nil` for another name. `next` is the number to try first: 0 for
    /// the first member of a record.
    @inline(__always) func number(of key: JSONString, next: inout Int) -> Int? {
        let found = text.withUnsafeBytes { names in
            key.hasEscapes
                ? Array(key.text.utf8).withUnsafeBytes { number(of: $0, names, next) }
                : number(of: key.raw, names, next)
        }
        if let found { next = found + 1 }
        return found
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
