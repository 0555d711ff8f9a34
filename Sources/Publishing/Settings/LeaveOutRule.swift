import Base
import People

/// A condition under which an import does not list a person: that somebody has left, or must not be listed.
///
/// Written as `status=inactive` (the value is this one), `status!=active` (another one), `deleted_at` (there is a value
/// that is neither no nor zero), `end_date<today` (a date before today) or `userAccountControl&2` (a bit is set).
public struct LeaveOutRule: Hashable, Sendable {
    public enum Test: Hashable, Sendable {
        case equals(String)
        case differs(String)
        case isSet
        /// A date before today, in the order of `format`: see ``FieldDate``.
        case beforeToday
        case hasBit(Int)
    }

    public var column: String
    public var test: Test

    public init(column: String, _ test: Test) { (self.column, self.test) = (column, test) }

    /// Reads a rule as settings have it.
    public init(_ text: String) {
        if text.hasSuffix("<today") {
            self.init(column: String(text.dropLast(6)).trimmed, .beforeToday)
        } else if let index = text.firstIndex(of: "=") {
            let isNegated = text[..<index].last == "!"
            let value = String(text[text.index(after: index)...]).trimmed
            let column = String(text[..<index].dropLast(isNegated ? 1 : 0)).trimmed
            self.init(column: column, isNegated ? .differs(value) : .equals(value))
        } else if let index = text.lastIndex(of: "&"), let bit = Int(text[text.index(after: index)...]) {
            self.init(column: String(text[..<index]), .hasBit(bit))
        } else {
            self.init(column: text.trimmed, .isSet)
        }
    }

    /// The rule as settings have it.
    public var text: String {
        switch test {
        case .equals(let value): "\(column)=\(value)"
        case .differs(let value): "\(column)!=\(value)"
        case .isSet: column
        case .beforeToday: "\(column)<today"
        case .hasBit(let bit): "\(column)&\(bit)"
        }
    }

    /// The words for people: `deleted_at`, `Status: left`, `Austritt before today`.
    public var mark: String {
        switch test {
        case .equals(let value): "\(column): \(value)"
        case .differs(let value): value.isEmpty ? "\(column) has a value" : "\(column) is not \(value)"
        case .isSet, .hasBit: column
        case .beforeToday: "\(column) before today"
        }
    }

    /// Whether the rule holds for somebody whose column has `value`.
    ///
    /// - Parameter today: In days since 1970-01-01.
    public func holds(for value: UnsafeRawBufferPointer, today: Int) -> Bool {
        switch test {
        case .equals(let text): return Self.isEqual(value, text)
        case .differs(let text): return !Self.isEqual(value, text)
        case .isSet: return Self.isSet(value)
        case .beforeToday: return Self.date(value).map { $0 < today } ?? false
        case .hasBit(let bit): return Int64(decimalDigits: value).map { Int($0) & bit != 0 } ?? false
        }
    }

    private static func isEqual(_ value: UnsafeRawBufferPointer, _ text: String) -> Bool {
        let own = String(decoding: value.prefix(200), as: UTF8.self).trimmed
        return LeaverWords.phrase(own) == LeaverWords.phrase(text) || boolean(own).map { $0 == boolean(text) } == true
    }

    static func boolean(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "t": true
        case "f": false
        default: text.withBytes(FieldBoolean.read)
        }
    }

    static func isSet(_ value: UnsafeRawBufferPointer) -> Bool {
        let text = String(decoding: value.prefix(40), as: UTF8.self).trimmed
        let absences = ["null", "none", "n/a", "na", "nil", "never", "—", "–", "0000-00-00", "0000-00-00 00:00:00"]
        return boolean(text) != false && !absences.contains(text.lowercased())
            && text.contains { $0 != "0" && $0 != "." }
    }

    /// Reads a date in any order; where both orders are possible, the one that comes later, so that nobody is left out
    /// too soon.
    static func date(_ value: UnsafeRawBufferPointer) -> Int? {
        FieldDate.read(value, nil) ?? ["dmy", "mdy"].compactMap { FieldDate.read(value, $0) }.max()
    }
}
