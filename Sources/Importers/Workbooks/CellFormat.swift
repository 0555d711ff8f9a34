import Base

/// How a cell shows its value: a number by the first section that is for it, and a text.
struct CellFormat: Equatable {
    /// Without any, a number has as many digits as it needs.
    let sections: [FormatSection]
    let text: TextPattern

    static let general = CellFormat([])

    init(_ sections: [FormatSection], text: TextPattern = TextPattern()) {
        let isGeneral = sections.allSatisfy { $0.content == .general(TextPattern()) }
        (self.sections, self.text) = (isGeneral ? [] : sections, text)
    }

    /// The parts of dates, if the format is one of dates.
    var dateParts: DateParts? {
        if case .date(let parts)? = sections.first?.content { parts } else { nil }
    }
}

/// A section of a number format, and the numbers that it is for.
struct FormatSection: Equatable {
    enum Content: Equatable {
        case number(NumberPattern)
        /// As many digits as the number needs, between two texts.
        case general(TextPattern)
        case date(DateParts)
    }

    struct Condition: Equatable {
        enum Relation: String, CaseIterable {
            case atMost = "<="
            case atLeast = ">="
            case isNot = "<>"
            case less = "<"
            case more = ">"
            case equals = "="
        }

        var relation: Relation
        var value: Double

        init(relation: Relation, value: Double) { (self.relation, self.value) = (relation, value) }

        /// Reads `>=0`.
        init?(_ text: String) {
            guard let relation = Relation.allCases.first(where: { text.hasPrefix($0.rawValue) }),
                let value = Double(text.dropFirst(relation.rawValue.count))
            else { return nil }
            self.init(relation: relation, value: value)
        }

        func holds(for number: Double) -> Bool {
            switch relation {
            case .less: number < value
            case .atMost: number <= value
            case .more: number > value
            case .atLeast: number >= value
            case .equals: number == value
            case .isNot: number != value
            }
        }

        var isOfNegatives: Bool { value <= 0 && (relation == .less || value < 0 && relation == .atMost) }
        var isOfPositives: Bool { value == 0 && (relation == .more || relation == .atLeast) }
    }

    /// `nil` if it is for all numbers that earlier sections are not for.
    var condition: Condition?
    var content: Content
}

/// One pattern of a number, such as `0.00 "€"` or `000\-000`.
struct NumberPattern: Equatable {
    var tokens: [FormatToken] = []
    /// The power of ten by which the number is multiplied: 2 for percent, -3 for thousands.
    var power = 0

    /// Appends the number with a sign, if it is negative.
    func append(_ number: DecimalNumber, to buffer: ByteBuffer) {
        let point = tokens.firstIndex(of: .point) ?? tokens.endIndex
        var number = number
        number.shift(by: power)
        number.round(toDecimals: tokens[point...].count(where: \.isDigit))
        if number.isNegative { buffer.append(UInt8(ascii: "-")) }
        let digits = number.digits
        var (whole, decimals) = (digits.whole[...], digits.decimals[...])
        // The places before the point that are left, and whether the point is written.
        var places = tokens[..<point].count(where: \.isDigit)
        var hasPoint = false
        for token in tokens {
            switch token {
            case .digit(let isZeroShown) where places > 0:
                places -= 1
                // The first place takes all digits that the places behind it leave.
                let taken = whole.prefix(max(0, whole.count - places))
                whole = whole.dropFirst(taken.count)
                buffer.append(taken)
                if taken.isEmpty, isZeroShown { buffer.append(UInt8(ascii: "0")) }
            case .digit(let isZeroShown):
                guard let digit = decimals.popFirst() ?? (isZeroShown ? UInt8(ascii: "0") : nil) else { continue }
                if !hasPoint { buffer.append(UInt8(ascii: ".")) }
                hasPoint = true
                buffer.append(digit)
            default: buffer.append(utf8: token.literal)
            }
        }
    }
}

/// How a text, or a number with as many digits as it needs, is shown: between two texts, or not at all.
struct TextPattern: Equatable {
    var before = ""
    var after = ""
    var showsText = true

    func append(_ text: UnsafeRawBufferPointer, to buffer: ByteBuffer) {
        buffer.append(utf8: before)
        if showsText { buffer.append(text) }
        buffer.append(utf8: after)
    }
}

extension CellFormat {
    /// Appends the number of a cell as people see it. A number that the format cannot show is written plainly.
    ///
    /// - Parameter firstDay: The day that the workbook calls 0.
    func append(_ value: Double, firstDay: Int = 0, to buffer: ByteBuffer) {
        guard let index = sections.firstIndex(where: { $0.condition?.holds(for: value) ?? true }) else {
            return Self.appendGeneral(value, to: buffer)
        }
        // A section for negative numbers alone says itself how they look.
        let isUnsigned =
            sections[index].condition?.isOfNegatives == true
            || sections[..<index].contains { $0.condition?.isOfPositives == true }
        let number = isUnsigned ? abs(value) : value
        switch sections[index].content {
        case .general(let pattern):
            if number < 0 { buffer.append(UInt8(ascii: "-")) }
            buffer.append(utf8: pattern.before)
            Self.appendGeneral(abs(number), to: buffer)
            buffer.append(utf8: pattern.after)
        case .number(let pattern): pattern.append(DecimalNumber(number), to: buffer)
        case .date(let parts):
            guard let date = CellDate(serial: value, firstDay: firstDay) else {
                return Self.appendGeneral(value, to: buffer)
            }
            date.append(parts, to: buffer)
        }
    }

    private static func appendGeneral(_ value: Double, to buffer: ByteBuffer) {
        if abs(value) < 1e15, value == value.rounded() { return buffer.append(decimal: Int64(value)) }
        DecimalNumber(value).append(to: buffer)
    }
}
