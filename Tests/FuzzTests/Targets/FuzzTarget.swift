import Base

/// A parser of bytes from outside, and the rules that hold for it whatever the bytes are.
struct FuzzTarget: Sendable {
    /// The target's name, which is also its folder in `Corpus`.
    let name: String
    /// The words that inputs contain, for mutators and libFuzzer.
    let words: [String]
    /// Reads one input. Throws a ``BrokenRule``; any other fault crashes or hangs.
    let check: @Sendable (UnsafeRawBufferPointer) throws -> Void

    static let all: [FuzzTarget] = [
        .request, .body, .conditions, .parameters, .cursor, .records, .json, .template, .page, .gzip, .text, .log,
        .settings, .picture, .exif, .gif, .worker, .workbook,
    ]
}

/// A rule that an input breaks.
struct BrokenRule: Error, CustomStringConvertible {
    let description: String
}

/// Throws `rule` as broken unless `condition` is true.
func hold(_ condition: Bool, _ rule: @autoclosure () -> String) throws {
    if !condition { throw BrokenRule(description: rule()) }
}

/// Returns the offsets at which to cut input of `count` bytes in two: all of them where that is cheap.
func cuts(of count: Int) -> [Int] {
    if count <= 256 { return Array(0...count) }
    return Array(0...16) + stride(from: 17, to: count - 16, by: count / 16) + Array((count - 16)...count)
}

/// Returns `bytes` in pieces: whole, byte by byte where that is cheap, and in pieces of odd lengths.
func splits(of bytes: UnsafeRawBufferPointer) -> [[UnsafeRawBufferPointer]] {
    let lengths = bytes.count <= 4096 ? [1, 3, 64] : [61, 4093]
    return [[bytes]]
        + lengths.map { length in
            stride(from: 0, to: bytes.count, by: length).map {
                UnsafeRawBufferPointer(rebasing: bytes[$0..<min($0 + length, bytes.count)])
            }
        }
}

extension UnsafeRawBufferPointer {
    /// Returns these bytes in at most `count` parts, separated by 0xFF, which never occurs in UTF-8. The last part
    /// contains the rest.
    func parts(_ count: Int) -> [UnsafeRawBufferPointer] {
        let parts = split(separator: 0xFF, maxSplits: count - 1, omittingEmptySubsequences: false)
            .map { UnsafeRawBufferPointer(rebasing: $0) }
        return parts + Array(repeating: UnsafeRawBufferPointer(start: nil, count: 0), count: count - parts.count)
    }

    /// The text, with U+FFFD in place of invalid UTF-8.
    var text: String { String(decoding: self, as: UTF8.self) }
}

extension String {
    /// The text as HTML shows it: with U+FFFD in place of noncharacters and control characters, which no HTML document
    /// may contain.
    var inHTML: String {
        var shown = UnicodeScalarView()
        for scalar in unicodeScalars {
            let isControl = scalar.properties.generalCategory == .control && !["\t", "\n", "\r"].contains(scalar)
            shown.append(isControl || scalar.properties.isNoncharacterCodePoint ? "\u{FFFD}" : scalar)
        }
        return String(shown)
    }
}

extension Bytes {
    var text: String { String(self) }
}
