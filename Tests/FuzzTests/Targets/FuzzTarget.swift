/// Something that reads bytes from outside, and what must be true of it whatever the bytes are.
struct FuzzTarget: Sendable {
    /// Also the name of its folder in `Corpus`.
    let name: String
    /// What its input is made of, for those who make some.
    let words: [String]
    /// Reads one input. Throws a ``BrokenRule``; whatever else is wrong crashes or hangs.
    let check: @Sendable (UnsafeRawBufferPointer) throws -> Void

    static let all: [FuzzTarget] = [
        .request, .body, .conditions, .parameters, .cursor, .records, .json, .template, .page, .gzip, .text, .log,
    ]
}

/// A rule that some input breaks.
struct BrokenRule: Error, CustomStringConvertible {
    let description: String
}

/// Throws `rule` as broken unless `condition` holds.
func hold(_ condition: Bool, _ rule: @autoclosure () -> String) throws {
    if !condition { throw BrokenRule(description: rule()) }
}

/// The places at which to cut input of `count` bytes in two: all of them where that is cheap.
func cuts(of count: Int) -> [Int] {
    if count <= 256 { return Array(0...count) }
    return Array(0...16) + stride(from: 17, to: count - 16, by: count / 16) + Array((count - 16)...count)
}

/// `bytes` in pieces: whole, byte by byte where that is cheap, and in pieces of odd lengths.
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
    /// These bytes in at most `count` parts, between bytes 0xFF, which no UTF-8 has; the last takes what is left over.
    func parts(_ count: Int) -> [UnsafeRawBufferPointer] {
        let parts = split(separator: 0xFF, maxSplits: count - 1, omittingEmptySubsequences: false)
            .map { UnsafeRawBufferPointer(rebasing: $0) }
        return parts + Array(repeating: UnsafeRawBufferPointer(start: nil, count: 0), count: count - parts.count)
    }

    /// The text, with U+FFFD for what is not UTF-8.
    var text: String { String(decoding: self, as: UTF8.self) }
}
