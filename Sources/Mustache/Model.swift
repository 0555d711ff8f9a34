import Bytes

/// The values for one rendering: frames of slots, and the text they point into.
///
/// Reused from page to page, so that filling it allocates nothing once it has grown to the largest page.
///
/// Inlinable throughout: a field then costs a store at a place known at compile time, and not a call through
/// the witnesses of ``Field``.
public final class Model {
    /// Twelve bytes: a page of 100 users has 1,200 of them.
    @usableFromInline enum Value {
        /// Nothing: an empty text, a false flag, a list without elements.
        case absent
        case text(Slice)
        case flag(Bool)
        /// `count` frames of `stride` slots each, from slot `first` on.
        case list(first: UInt32, count: UInt32, stride: UInt16)
    }

    @usableFromInline let text = ByteBuffer(capacity: 16_384)
    // Unchecked: no access to it lasts while other code runs.
    @exclusivity(unchecked) @usableFromInline var slots: [Value] = []

    public init() {}

    /// Forgets all frames and keeps the memory; frames made before are not to be used again.
    @inlinable public func removeAll() {
        text.removeAll()
        slots.removeAll(keepingCapacity: true)
    }

    /// A frame whose fields are all absent.
    @inlinable public func makeFrame<F: Field>(_ type: F.Type) -> Frame<F> {
        makeFrames(type, count: 1)[0]
    }

    /// Makes the elements of list `field`, all of their fields absent.
    @inlinable public func makeList<F: Field, G: Field>(
        _ frame: Frame<F>, _ field: F, of type: G.Type, count: Int
    ) -> Frames<G> {
        assert(field.kind.isList(of: type), "\(field) is no list of \(type)")
        let frames = makeFrames(type, count: count)
        slots[frame.first + field.rawValue] = .list(
            first: UInt32(frames.first), count: UInt32(count), stride: UInt16(frames.stride))
        return frames
    }

    @inlinable public func set<F: Field>(_ frame: Frame<F>, _ field: F, flag: Bool) {
        assert(field.kind.isFlag, "\(field) is no flag")
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

    /// Sets a text to what `body` appends to the buffer.
    @inlinable public func write<F: Field>(_ frame: Frame<F>, _ field: F, _ body: (ByteBuffer) throws -> Void) rethrows
    {
        assert(field.kind.isText, "\(field) is no text")
        let start = text.count
        try body(text)
        // What was there before belongs to other fields.
        precondition(text.count >= start)
        slots[frame.first + field.rawValue] = .text(Slice(offset: start, count: text.count - start))
    }

    @inlinable func makeFrames<F: Field>(_ type: F.Type, count: Int) -> Frames<F> {
        let frames = Frames<F>(first: slots.count, stride: F.allCases.count, count: count)
        slots.append(contentsOf: repeatElement(.absent, count: frames.stride * count))
        return frames
    }
}

/// The values of one level: a slot for each case of `F`.
public struct Frame<F: Field>: Sendable {
    @usableFromInline let first: Int

    @usableFromInline init(first: Int) { self.first = first }
}

/// The elements of a list.
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
