import Base

/// How a cell shows its number.
enum CellFormat: Equatable {
    /// As many digits as the number has.
    case general
    case number(NumberSections)
    case date(DateParts)
}

/// The patterns of a number format by sign. A negative number without a pattern of its own gets a minus sign.
struct NumberSections: Equatable {
    var positive: NumberPattern
    var negative: NumberPattern?
    var zero: NumberPattern?

    /// Appends `value` as people see it, without groups of thousands.
    func append(_ value: Double, to buffer: ByteBuffer) {
        if value == 0, let zero { return zero.append(value, to: buffer) }
        if value < 0, let negative { return negative.append(-value, to: buffer) }
        positive.append(value, to: buffer)
    }
}

/// One pattern, such as `0.00 "€"`.
struct NumberPattern: Equatable {
    var prefix = ""
    var suffix = ""
    /// Whether it shows the number at all, and not only its texts.
    var hasDigits = false
    /// Whether it shows the number as general: fractions and exponents would not be read as numbers.
    var isGeneral = false
    var integers = 0
    var decimals = 0
    var maxDecimals = 0
    /// The power of ten by which the number is multiplied: 2 for percent, -3 for thousands.
    var power = 0

    func append(_ value: Double, to buffer: ByteBuffer) {
        guard hasDigits, var number = DecimalNumber(value) else { return buffer.append(utf8: prefix + suffix) }
        if !isGeneral {
            number.shift(by: power)
            number.round(toDecimals: maxDecimals)
        }
        if number.isNegative { buffer.append(UInt8(ascii: "-")) }
        buffer.append(utf8: prefix)
        number.append(to: buffer, integers: max(integers, 1), decimals: isGeneral ? 0 : decimals)
        buffer.append(utf8: suffix)
    }
}

extension CellFormat {
    /// Appends the number of a cell as people see it.
    func append(_ value: Double, isFrom1904: Bool = false, to buffer: ByteBuffer) {
        switch self {
        case .general: Self.appendGeneral(value, to: buffer)
        case .number(let sections): sections.append(value, to: buffer)
        case .date(let parts):
            guard let date = CellDate(serial: value, isFrom1904: isFrom1904) else {
                return Self.appendGeneral(value, to: buffer)
            }
            date.append(parts, to: buffer)
        }
    }

    private static func appendGeneral(_ value: Double, to buffer: ByteBuffer) {
        if abs(value) < 1e15, value == value.rounded() { return buffer.append(decimal: Int64(value)) }
        guard let number = DecimalNumber(value) else { return }
        if number.isNegative { buffer.append(UInt8(ascii: "-")) }
        number.append(to: buffer)
    }
}
