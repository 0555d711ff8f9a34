import Base

/// Numbers the members of records by their names. The records of a directory have their members in one order, so most
/// names are found at the first comparison.
struct MemberNumbers: Sendable {
    /// All names, one after another, and where each is.
    private let text: [UInt8]
    private let slices: [Range<Int>]

    /// - Parameter names: Different ones, whose indexes are the numbers.
    init(_ names: [String]) {
        var text: [UInt8] = []
        slices = names.map { name in
            let start = text.count
            text += name.utf8
            return start..<text.count
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
        let isName = { (number: Int) in key.equals(UnsafeRawBufferPointer(rebasing: names[slices[number]])) }
        return next < slices.count && isName(next) ? next : slices.indices.first(where: isName)
    }
}
