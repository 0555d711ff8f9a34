import Base

/// A value in a JSON text. It is valid as long as the bytes it was read from.
public struct JSONValue {
    public enum Kind: Sendable { case string, number, object, array, bool, null }

    public let kind: Kind
    /// The value as written in the text, including a string's quotes.
    public let raw: UnsafeRawBufferPointer
    @usableFromInline let hasEscapes: Bool

    @inlinable init(kind: Kind, raw: UnsafeRawBufferPointer, hasEscapes: Bool = false) {
        self.kind = kind
        self.raw = raw
        self.hasEscapes = hasEscapes
    }

    /// The string, or `nil` if the value is not a string.
    @inlinable public var string: JSONString? {
        guard kind == .string else { return nil }
        return JSONString(raw: UnsafeRawBufferPointer(rebasing: raw[1..<(raw.count - 1)]), hasEscapes: hasEscapes)
    }

    @inlinable public var isNull: Bool { kind == .null }

    /// The Boolean, or `nil` if the value is neither `true` nor `false`.
    @inlinable public var bool: Bool? { kind == .bool ? raw.count == 4 : nil }

    /// The number, if it is an integer of 64 bits, in any notation: `7`, `7.0`, `70e-1`. It is never rounded.
    public var int64: Int64? {
        guard kind == .number else { return nil }
        return Int64(json: raw)
    }
}
