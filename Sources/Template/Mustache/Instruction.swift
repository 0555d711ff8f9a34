import Base

/// One step of rendering. A jump contains the index of the instruction to continue with.
enum Instruction: Sendable {
    /// Copies literal text.
    case literal(ByteSlice)
    case text(Place, isEscaped: Bool)
    /// Jumps past a section if its value is not shown, or past an inverted one if it is.
    case skip(Place, ifShown: Bool, to: UInt32)
    /// Jumps past a form of a message that is not for the category of this number.
    case skipUnlessPlural(Place, PluralCategories, to: UInt32)
    /// Enters the first element of a list, or jumps past an empty list.
    case enter(Place, stride: UInt16, past: UInt32)
    /// Enters one element of a list of named fields, or jumps past it if the field has no value.
    case enterField(Place, index: UInt16, past: UInt32)
    /// Jumps past an inverted section of a named field that has a value.
    case skipIfField(Place, index: UInt16, to: UInt32)
    /// Jumps back for the next element, or leaves the list.
    case next(back: UInt32)

    /// The position of the value that the instruction reads.
    var place: Place? {
        switch self {
        case .text(let place, _), .skip(let place, _, _), .skipUnlessPlural(let place, _, _), .enter(let place, _, _),
            .enterField(let place, _, _), .skipIfField(let place, _, _):
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
    /// All literal texts, one after the other, and then the zero bytes that ``ByteBuffer/append(padded:_:)`` needs.
    var literals: [UInt8] = []
    /// The fields that the template names by their keys: the elements of each list of named fields.
    var namedFields: [NamedField] = []
    /// The number of frames in use at once: the template's own, that of its document, and one for each list around the
    /// most deeply nested tag.
    var depth = 1
}

/// A field that a template names by its key: `{{#field.track}}`.
public struct NamedField: Hashable, Sendable {
    public let key: String
    /// Where the template first names it, in the format of error messages: `_article.mustache:3:7`.
    public let place: String
}
