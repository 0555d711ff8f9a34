import Base
import ICU

/// Writes numbers as people of one language read them: `1,234.5`, `1.234,5`, `1 234,5`.
struct NumberFormat: Sendable {
    private let grouping: [UInt8]
    private let decimal: String
    private let minimumGrouping: Int

    init(_ data: LocaleData) {
        grouping = Array(data.grouping.utf8)
        decimal = data.decimal
        minimumGrouping = data.minimumGrouping
    }

    func append(_ number: Int64, to buffer: ByteBuffer) {
        let magnitude = number.magnitude
        // 1,000, or 10,000 where four digits form no group.
        let isGrouped = magnitude >= (minimumGrouping > 1 ? 10_000 : 1000)
        if number < 0 { buffer.append("-") }
        isGrouped ? append(groups: magnitude, to: buffer) : buffer.append(decimal: magnitude)
    }

    func text(_ number: Int) -> String {
        let buffer = ByteBuffer(capacity: 32)
        append(Int64(number), to: buffer)
        return String(buffer)
    }

    /// The number with as few decimals as it needs.
    func text(_ number: Double) -> String {
        guard number.isFinite, number.magnitude < 1e15 else { return "\(number)" }
        let whole = number.rounded(.towardZero)
        let sign = number < 0 && whole == 0 ? "-" : ""
        let text = sign + text(Int(whole))
        if whole == number { return text }
        // The shortest digits that are this number again.
        let digits = "\(number.magnitude)".split(separator: ".")
        return digits.count == 2 && !digits[1].contains("e") ? "\(text)\(decimal)\(digits[1])" : "\(number)"
    }

    private func append(groups number: UInt64, to buffer: ByteBuffer) {
        guard number >= 1000 else { return buffer.append(decimal: number) }
        append(groups: number / 1000, to: buffer)
        grouping.withUnsafeBytes { buffer.append($0) }
        let rest = Int(number % 1000)
        buffer.append(UInt8(truncatingIfNeeded: 48 + rest / 100))
        buffer.append(twoDigits: rest)
    }
}
