import Base

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
        request.forEachValue(of: "accept-encoding") { $0.withUnsafeBytes { accepted.note($0) } }
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
        value.forEachListElement { note(element: $0) }
    }

    /// Adds one coding and its weight, if it has one. An element that is not well-formed is ignored.
    private mutating func note(element: UnsafeRawBufferPointer) {
        guard let (coding, weight) = element.weighted else { return }
        if coding.equals(ignoringCase: "gzip") || coding.equals(ignoringCase: "x-gzip") {
            gzip = max(gzip ?? 0, weight)
        } else if coding.equals(ignoringCase: "identity") {
            identity = weight
        } else if coding.equals("*") {
            others = weight
        }
    }
}

extension Request {
    /// Returns the language for a request (RFC 9110 §12.5.4): of the ranges that `lookUp` finds a language for, the one
    /// with the greatest weight, and of several the first (RFC 4647 §3.4). `nil` without such a range. Allocates
    /// nothing.
    ///
    /// A range of weight 0 is not acceptable. `*` finds nothing: it allows the language of readers who ask for none.
    @inlinable public func bestLanguage<Language>(_ lookUp: (_ range: Bytes) -> Language?) -> Language? {
        var best: Language?
        var bestWeight = 0
        forEachValue(of: "accept-language") { value in
            value.withUnsafeBytes { value in
                value.forEachListElement { element in
                    if let (range, weight) = element.weighted, weight > bestWeight,
                        let language = lookUp(Bytes(_unsafeBytes: range))
                    {
                        best = language
                        bestWeight = weight
                    }
                }
            }
        }
        return best
    }
}

extension UnsafeRawBufferPointer {
    /// An element of a list such as `gzip;q=0.5`: what it names, and its weight in thousandths, which is 1000 without
    /// one (RFC 9110 §12.4.2). `nil` if it is not well-formed.
    @usableFromInline var weighted: (name: UnsafeRawBufferPointer, weight: Int)? {
        let split = firstIndex(of: UInt8(ascii: ";")) ?? count
        let name = UnsafeRawBufferPointer(rebasing: self[..<split]).trimmed
        if split == count { return (name, 1000) }
        return UnsafeRawBufferPointer(rebasing: self[(split + 1)...]).trimmed.weight.map { (name, $0) }
    }

    /// Parses `q=` and a number from 0 to 1 with at most three decimals. Returns thousandths.
    private var weight: Int? {
        guard count >= 3, count <= 7, self[0].lowercased == UInt8(ascii: "q"), self[1] == UInt8(ascii: "="),
            self[2].isDigit, count == 3 || self[3] == UInt8(ascii: ".")
        else { return nil }
        var weight = Int(self[2] &- 48) * 1000
        var place = 100
        for byte in dropFirst(4) {
            guard byte.isDigit else { return nil }
            weight += Int(byte &- 48) * place
            place /= 10
        }
        return weight <= 1000 ? weight : nil
    }
}
