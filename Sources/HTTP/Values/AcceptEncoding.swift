import Bytes

/// The content codings that a client accepts (RFC 9110 §12.5.3).
public struct AcceptEncoding: Equatable, Sendable {
    /// Weights in thousandths; `nil` if the request does not mention the coding.
    private var gzip: Int?
    private var identity: Int?
    private var others: Int?

    /// Creates the value of a request without the field: the response is not compressed. RFC 9110 would allow any
    /// coding, but clients that want one ask for it.
    public init() {}

    public init(_ request: Request) {
        var accepted = Self()
        request.forEachValue(of: "accept-encoding") { accepted.note($0) }
        self = accepted
    }

    /// Whether the response may be compressed with gzip.
    public var acceptsGzip: Bool { (gzip ?? others ?? 0) > 0 }

    /// Whether the response may be sent uncompressed: yes, unless the field has `identity;q=0`, or `*;q=0` without
    /// `identity`.
    public var acceptsIdentity: Bool { (identity ?? others ?? 1) > 0 }

    /// Whether the response should be compressed: gzip is accepted and its weight is not below that of `identity`.
    public var prefersGzip: Bool { acceptsGzip && (gzip ?? others ?? 0) >= (identity ?? 0) }

    /// Adds one field line.
    public mutating func note(_ value: UnsafeRawBufferPointer) {
        value.forEachListElement { element in
            note(element: element)
            return true
        }
    }

    /// Adds one coding and its weight, if it has one. An element that is not well-formed is ignored.
    private mutating func note(element: UnsafeRawBufferPointer) {
        let split = element.firstIndex(of: UInt8(ascii: ";")) ?? element.count
        let coding = UnsafeRawBufferPointer(rebasing: element[..<split]).trimmed
        let parameter = UnsafeRawBufferPointer(rebasing: element[min(split + 1, element.count)...]).trimmed
        guard let weight = split == element.count ? 1000 : Self.weight(parameter) else { return }
        if coding.equals(ignoringCase: "gzip") || coding.equals(ignoringCase: "x-gzip") {
            gzip = max(gzip ?? 0, weight)
        } else if coding.equals(ignoringCase: "identity") {
            identity = weight
        } else if coding.equals("*") {
            others = weight
        }
    }

    /// Parses `q=` and a number from 0 to 1 with at most three decimals (RFC 9110 §12.4.2). Returns thousandths.
    private static func weight(_ parameter: UnsafeRawBufferPointer) -> Int? {
        guard parameter.count >= 3, parameter.count <= 7, parameter[0].lowercased == UInt8(ascii: "q"),
            parameter[1] == UInt8(ascii: "="), parameter[2].isDigit,
            parameter.count == 3 || parameter[3] == UInt8(ascii: ".")
        else { return nil }
        var weight = Int(parameter[2] &- 48) * 1000
        var place = 100
        for byte in parameter.dropFirst(4) {
            guard byte.isDigit else { return nil }
            weight += Int(byte &- 48) * place
            place /= 10
        }
        return weight <= 1000 ? weight : nil
    }
}
