import Base

/// One step of rendering. A jump contains the index of the instruction to continue with.
enum Instruction: Sendable {
    /// Copies literal text.
    case literal(ByteSlice)
    case text(Place, isEscaped: Bool)
    /// Jumps past a section that is not shown.
    case skipUnless(Place, to: UInt32)
    /// Jumps past an inverted section that is not shown.
    case skipIf(Place, to: UInt32)
    /// Jumps past a form of a message that is not for the category of this number.
    case skipUnlessPlural(Place, PluralCategories, to: UInt32)
    /// Enters the first element of a list, or jumps past an empty list.
    case enter(Place, stride: UInt16, past: UInt32)
    /// Jumps back for the next element, or leaves the list.
    case next(back: UInt32)

    /// The position of the value that the instruction reads.
    var place: Place? {
        switch self {
        case .text(let place, _), .skipUnless(let place, _), .skipIf(let place, _), .skipUnlessPlural(let place, _, _),
            .enter(let place, _, _):
            place
        case .literal, .next: nil
        }
    }
}

/// The position of a value: a slot of the frame at one list level. The compiler resolves names to positions once.
struct Place: Sendable, Equatable {
    var level: UInt16
    var slot: UInt16
}

/// A compiled template.
struct Program: Sendable {
    var instructions: [Instruction] = []
    /// All literal texts, one after the other.
    var literals: [UInt8] = []
    /// The number of frames in use at once: the template's own, that of its document, and one for each list around the
    /// most deeply nested tag.
    var depth = 1
}
