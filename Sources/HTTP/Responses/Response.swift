import Bytes

/// An answer, whole in memory. Copying one copies references.
public struct Response: Sendable, Equatable {
    public var status: Status
    /// All fields but those the connection decides: `Date`, `Connection` and `Content-Length`.
    public var fields: Fields
    public var body: Body
    /// What is sent instead of the body, where that is made piece by piece.
    public var stream: BodyStream?
    /// Which of the application's ``Application/routes`` this answers.
    public var route: UInt8 = 0
    /// Whether it was ready before anybody asked.
    public var isFromCache = false
    /// What making it took, where it was made for this request.
    public var timing: ServerTiming?
    /// What compressing the body has saved.
    public var savedBytes: UInt32 = 0

    public init(_ status: Status = .ok, fields: Fields = Fields(), body: Body = Body([])) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// A stretch of shared bytes: a page, a file, or the part of a file that a range asked for.
    public struct Body: Sendable, Equatable {
        public var bytes: [UInt8]
        public var range: Range<Int>

        public init(_ bytes: [UInt8], range: Range<Int>? = nil) {
            self.bytes = bytes
            self.range = range ?? 0..<bytes.count
        }

        public var count: Int { range.count }
    }
}

/// Field lines, kept in the form in which they are sent.
///
/// Lines are written once, when a page is made, and then copied as bytes into every answer that uses the page.
public struct Fields: Sendable, Equatable {
    /// `Name: value\r\n`, one after the other.
    public private(set) var bytes: [UInt8] = []

    public init() {}

    /// Empty, with room for `capacity` bytes: fields that are all written anew grow once instead of ten times.
    public init(capacity: Int) { bytes.reserveCapacity(capacity) }

    /// Appends a line. A value from outside cannot break out of its line: controls become spaces (RFC 9110 §5.5).
    public mutating func append(_ name: StaticString, bytes value: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        bytes.append(UInt8(ascii: ":"))
        bytes.append(.space)
        if value.allSatisfy(\.isFieldCharacter) {
            bytes.append(contentsOf: value)
        } else {
            bytes.append(contentsOf: value.lazy.map { $0.isFieldCharacter ? $0 : .space })
        }
        bytes.append(.carriageReturn)
        bytes.append(.lineFeed)
    }

    public mutating func append(_ name: StaticString, _ value: some StringProtocol) {
        var value = String(value)
        value.withUTF8 { append(name, bytes: UnsafeRawBufferPointer($0)) }
    }

    public mutating func append(_ name: StaticString, _ value: StaticString) {
        append(name, bytes: UnsafeRawBufferPointer(start: value.utf8Start, count: value.utf8CodeUnitCount))
    }

    public mutating func append(_ name: StaticString, _ value: Int) {
        append(name, String(value))
    }

    public mutating func append(_ other: Fields) {
        bytes.append(contentsOf: other.bytes)
    }

    /// The value of the first line of field `name`, in any case. For tests and for the odd decision, not for the hot path.
    public subscript(name: String) -> String? {
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\r\n") {
            guard let colon = line.firstIndex(of: ":") else { continue }
            if line[..<colon].lowercased() == name.lowercased() {
                return String(line[line.index(colon, offsetBy: 2)...])
            }
        }
        return nil
    }
}
