import Bytes

/// One step of a rendering. Jumps name the instruction to go on with.
enum Instruction: Sendable {
    /// Copies literal text.
    case literal(Slice)
    case text(Place, isEscaped: Bool)
    /// Jumps over a section that is not shown.
    case skipUnless(Place, to: UInt32)
    /// Jumps over an inverted section that is not shown.
    case skipIf(Place, to: UInt32)
    /// Steps into the first element of a list, or jumps past an empty one.
    case enter(Place, stride: UInt16, past: UInt32)
    /// Goes back for the next element, or leaves the list.
    case next(back: UInt32)

    /// The value it looks at.
    var place: Place? {
        switch self {
        case .text(let place, _), .skipUnless(let place, _), .skipIf(let place, _), .enter(let place, _, _): place
        case .literal, .next: nil
        }
    }
}

/// Where a value is: a slot of the frame at one level of the lists around it. Names are resolved to places once, by
/// the compiler.
struct Place: Sendable, Equatable {
    var level: UInt16
    var slot: UInt16
}

/// A compiled template.
struct Program: Sendable {
    var instructions: [Instruction] = []
    /// All literal text, end to end.
    var literals: [UInt8] = []
    /// How many frames are current at once: the template's own, and one for each list around the innermost place.
    var depth = 1
}
