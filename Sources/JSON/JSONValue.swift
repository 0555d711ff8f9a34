import Bytes

/// A value in a JSON text; valid as long as the bytes it was read from.
public struct JSONValue {
    public enum Kind: Sendable { case string, number, object, array, bool, null }

    public let kind: Kind
    /// The value as it stands in the text, a string's quotes included.
    public let raw: UnsafeRawBufferPointer
    @usableFromInline let hasEscapes: Bool

    @inlinable init(kind: Kind, raw: UnsafeRawBufferPointer, hasEscapes: Bool = false) {
        self.kind = kind
        self.raw = raw
        self.hasEscapes = hasEscapes
    }

    /// `nil` if the value is no string.
    @inlinable public var string: JSONString? {
        guard kind == .string else { return nil }
        return JSONString(raw: UnsafeRawBufferPointer(rebasing: raw[1..<(raw.count - 1)]), hasEscapes: hasEscapes)
    }

    @inlinable public var isNull: Bool { kind == .null }

    /// `nil` if the value is neither `true` nor `false`.
    @inlinable public var bool: Bool? { kind == .bool ? raw.count == 4 : nil }

    /// The number, if it is a whole one of 64 bits, however it is written: `7`, `7.0`, `70e-1`. Never rounded.
    public var int64: Int64? {
        guard kind == .number else { return nil }
        return Int64(json: raw)
    }
}
