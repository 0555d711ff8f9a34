import Base

/// The members of a JSON object, as ranges of its bytes. The last of several equal keys counts.
struct JSONObjectView {
    let body: [UInt8]
    private var members: [String: Range<Int>] = [:]

    init(_ body: [UInt8]) throws(RollcallError) {
        self.body = body
        try Self.read(body) { bytes in
            try JSON.forEachMember(of: bytes) { key, value in members[key.text] = value.raw.place(in: bytes) }
        }
    }

    private static func read(
        _ body: [UInt8], _ read: (UnsafeRawBufferPointer) throws -> Void
    ) throws(RollcallError) {
        do { try body.withUnsafeBytes(read) } catch { throw RollcallError("not the JSON that was expected: \(error)") }
    }

    func text(_ name: String) -> String? { value(name) { $0.string?.text } }
    func number(_ name: String) -> Int? { value(name) { $0.int64.map(Int.init) } }
    func flag(_ name: String) -> Bool? { value(name) { $0.bool } }
    func isNull(_ name: String) -> Bool { value(name) { $0.isNull ? true : nil } ?? false }

    /// Returns the object in member `name`.
    func object(_ name: String) throws(RollcallError) -> JSONObjectView {
        try JSONObjectView(Array(body[place(of: name)]))
    }

    /// Returns the ranges of the elements of the array in member `name`.
    func elements(_ name: String) throws(RollcallError) -> [Range<Int>] {
        try Self.elements(of: body, in: place(of: name))
    }

    private func place(of name: String) throws(RollcallError) -> Range<Int> {
        try required(members[name], "expected \"\(name)\", found none")
    }

    /// Returns the ranges of the elements of the array at `place` in `body`.
    static func elements(of body: [UInt8], in place: Range<Int>? = nil) throws(RollcallError) -> [Range<Int>] {
        var elements: [Range<Int>] = []
        try read(body) { bytes in
            let array = UnsafeRawBufferPointer(rebasing: bytes[place ?? 0..<bytes.count])
            try JSON.forEachElement(of: array) { elements.append($0.raw.place(in: bytes)) }
        }
        return elements
    }

    private func value<Value>(_ name: String, _ read: (JSONValue) -> Value?) -> Value? {
        guard let place = members[name] else { return nil }
        return body.withUnsafeBytes { bytes in
            (try? JSON.value(UnsafeRawBufferPointer(rebasing: bytes[place]))).flatMap(read)
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Returns the range of these bytes in `whole`, which contains them.
    fileprivate func place(in whole: UnsafeRawBufferPointer) -> Range<Int> {
        guard let start = baseAddress, let base = whole.baseAddress else { return 0..<0 }
        return (start - base)..<(start - base + count)
    }
}
