import Base
import TestSupport
import Testing

@testable import Indexes

@Suite("Blocks of a sort index")
struct SortBlockTests {
    /// A block with `keys`, which ascend.
    private func block(_ keys: [(text: String, number: Int64, id: Int64)], _ kind: SortKey.Kind) throws -> ByteBuffer {
        let (block, texts) = (SortBlock(kind), ByteBuffer())
        let changes = keys.map { key in
            let start = texts.count
            texts.append(utf8: key.text)
            if kind != .text { return SortChange(key: SortKey(number: key.number, id: key.id), delta: 1) }
            let text = ByteSlice(offset: start, count: texts.count - start)
            return SortChange(key: SortKey(text: text, in: texts.bytes, id: key.id), delta: 1)
        }
        try block.append(SortBlock(kind), changed: changes[...], texts.bytes)
        let bytes = ByteBuffer()
        block.encode(0..<keys.count, to: bytes)
        return bytes
    }

    /// The examples in `Sources/Indexes/Orders/README.md`.
    @Test func theBytesAreThoseOfTheDocumentation() throws {
        let texts = try block([("anna", 0, 7), ("annabel", 0, 2), ("bo", 0, 300)], .text)
        #expect(
            hex(texts)
                == "03 00 00 00 04 07 00 00 00 02 00 00 00 2c 01 00 00 00 04 61 6e 6e 61 04 03 62 65 6c 00 02 62 6f")
        let numbers = try block([("", 5, 7), ("", 205, 2)], .number)
        #expect(hex(numbers) == "02 00 00 00 04 07 00 00 00 02 00 00 00 05 00 00 00 00 00 00 80 03 19")
        #expect(hex(try block([], .id)) == "00 00 00 00 04")
        #expect([UInt8](try block([], .text)) == SortBlock.empty)
    }

    /// The numbers are the bits of doubles. The last two people have none.
    @Test(arguments: [false, true])
    func wholeNumbersAreShort(isReversed: Bool) throws {
        let numbers = [-70_000.0, -1, 0, 5, 6, 70_000].map { Int64(bitPattern: $0.bitPattern) }
            .map { $0 < 0 ? .min &- $0 : $0 }
        let sorted = isReversed ? numbers.reversed().map { ~$0 } : numbers.map { $0 - 1 }
        let keys = (sorted + [.max, .max]).enumerated().map { ("", $1, Int64($0 + 1)) }
        let bytes = try block(keys, .number)
        #expect(bytes.count < 5 + 8 * 4 + 9 + 7 * 5, "\(bytes.count)")
        let read = SortBlock(.number)
        try read.append(bytes.bytes)
        #expect(read.keys.map(\.number) == keys.map(\.1))
    }

    @Test(arguments: [SortKey.Kind.id, .number, .text])
    func damagedBlocksAreAnErrorAndNoCrash(kind: SortKey.Kind) throws {
        var random = SplitMix(walk: 4)
        let keys = (0..<40 as Range<Int64>).map { id in
            let letters = [UInt8(id / 8) + 97, UInt8(id % 8) + 97]
            return (text: String(decoding: letters, as: UTF8.self), number: kind == .id ? .min : id / 3, id: id)
        }
        let whole = try block(keys, kind)
        for _ in 0..<RandomWalk.rounds(500) {
            var bytes = Array(whole.bytes.prefix(Int.random(in: 0...whole.count, using: &random)))
            for _ in 0..<Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let read = SortBlock(kind)
            do { try bytes.withUnsafeBytes { try read.append($0) } } catch { #expect(error is DamagedBlock) }
        }
    }
}
