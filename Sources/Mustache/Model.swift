import Bytes

/// The values for one rendering: frames of slots, and the text that they refer to.
///
/// A model is reused from page to page, so that filling it allocates nothing once it has grown to the largest page.
///
/// All of it is inlinable: setting a field then costs a store at an offset known at compile time, instead of a call
/// through the witness table of ``Field``.
public final class Model {
    /// A value takes twelve bytes, and a page of 100 users has 1,200 of them.
    @usableFromInline enum Value {
        /// No value: an empty text, a false flag, or an empty list.
        case absent
        case text(ByteSlice)
        case number(ByteSlice, PluralCategory)
        case flag(Bool)
        /// `count` frames of `stride` slots each, from slot `first` on.
        case list(first: UInt32, count: UInt32, stride: UInt16)
    }

    @usableFromInline let text = ByteBuffer(capacity: 16_384)
    // Unchecked: no access lasts while other code runs.
    @exclusivity(unchecked) @usableFromInline var slots: [Value] = []

    public init() {}

    /// Removes all frames and keeps the memory. Earlier frames must not be used any more.
    @inlinable public func removeAll() {
        text.removeAll()
        slots.removeAll(keepingCapacity: true)
    }

    /// Creates a frame whose fields are all absent.
    @inlinable public func makeFrame<F: Field>(_ type: F.Type) -> Frame<F> {
        makeFrames(type, count: 1)[0]
    }

    /// Creates the elements of the list `field`, with all their fields absent.
    @inlinable public func makeList<F: Field, G: Field>(
        _ frame: Frame<F>, _ field: F, of type: G.Type, count: Int
    ) -> Frames<G> {
        assert(field.kind.isList(of: type), "\(field) is not a list of \(type)")
        let frames = makeFrames(type, count: count)
        slots[frame.first + field.rawValue] = .list(
            first: UInt32(frames.first), count: UInt32(count), stride: UInt16(frames.stride))
        return frames
    }

    @inlinable public func set<F: Field>(_ frame: Frame<F>, _ field: F, flag: Bool) {
        assert(field.kind.isFlag, "\(field) is not a flag")
        slots[frame.first + field.rawValue] = .flag(flag)
    }

    @inlinable public func set<F: Field>(_ frame: Frame<F>, _ field: F, _ text: some StringProtocol) {
        write(frame, field) { $0.append(utf8: text) }
    }

    @inlinable public func set<F: Field>(_ frame: Frame<F>, _ field: F, bytes: UnsafeRawBufferPointer) {
        write(frame, field) { $0.append(bytes) }
    }

    @inlinable public func set<F: Field>(_ frame: Frame<F>, _ field: F, decimal number: some FixedWidthInteger) {
        write(frame, field) { $0.append(decimal: number) }
    }

    /// Sets a text field to the bytes that `body` appends to the buffer.
    @inlinable public func write<F: Field>(_ frame: Frame<F>, _ field: F, _ body: (ByteBuffer) throws -> Void) rethrows
    {
        assert(field.kind.isText, "\(field) is not a text")
        slots[frame.first + field.rawValue] = .text(try append(body))
    }

    /// Sets a number field to the bytes that `body` appends to the buffer: a number of `category`.
    @inlinable public func write<F: Field>(
        _ frame: Frame<F>, _ field: F, _ category: PluralCategory, _ body: (ByteBuffer) throws -> Void
    ) rethrows {
        assert(field.kind.isNumber, "\(field) is not a number")
        slots[frame.first + field.rawValue] = .number(try append(body), category)
    }

    /// Returns the bytes that `body` appends.
    @inlinable func append(_ body: (ByteBuffer) throws -> Void) rethrows -> ByteSlice {
        let start = text.count
        try body(text)
        // Earlier bytes belong to other fields.
        precondition(text.count >= start)
        return ByteSlice(offset: start, count: text.count - start)
    }

    @inlinable func makeFrames<F: Field>(_ type: F.Type, count: Int) -> Frames<F> {
        let frames = Frames<F>(first: slots.count, stride: F.allCases.count, count: count)
        slots.append(contentsOf: repeatElement(.absent, count: frames.stride * count))
        return frames
    }
}

/// A reference to the values of one level: one slot for each case of `F`.
public struct Frame<F: Field>: Sendable {
    @usableFromInline let first: Int

    @usableFromInline init(first: Int) { self.first = first }
}

/// A reference to the elements of a list.
public struct Frames<F: Field>: RandomAccessCollection, Sendable {
    @usableFromInline let first: Int
    @usableFromInline let stride: Int
    public let count: Int

    @usableFromInline init(first: Int, stride: Int, count: Int) {
        self.first = first
        self.stride = stride
        self.count = count
    }

    public var startIndex: Int { 0 }
    @inlinable public var endIndex: Int { count }
    @inlinable public subscript(index: Int) -> Frame<F> { Frame(first: first + index * stride) }
}
