/// Makes inputs out of others: bits flipped, words put in, stretches cut, doubled and spliced.
public struct Mutator {
    private var random: SplitMix
    private let words: [[UInt8]]

    public init(words: [String], walk number: UInt64) {
        self.words = words.map { Array($0.utf8) } + [[0xFF], [0], [0x80], Array("é".utf8), Array("\u{1F600}".utf8)]
        random = SplitMix(walk: number)
    }

    /// Another input like those of `corpus`.
    public mutating func next(_ corpus: [[UInt8]]) -> [UInt8] {
        var bytes = corpus.randomElement(using: &random) ?? []
        for _ in 0..<Int.random(in: 1...4, using: &random) { change(&bytes, corpus) }
        return bytes.count > Self.maxBytes ? Array(bytes[..<Self.maxBytes]) : bytes
    }

    /// Inputs that are hard to parse are short; long ones only cost time.
    private static let maxBytes = 4096

    private mutating func change(_ bytes: inout [UInt8], _ corpus: [[UInt8]]) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        let stretch = place..<Int.random(in: place...min(bytes.count, place + 32), using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 2: bytes.removeSubrange(stretch)
        case 3: bytes.insert(contentsOf: bytes[stretch], at: place)
        case 4: bytes.replaceSubrange(stretch, with: words.randomElement(using: &random) ?? [])
        case 5: splice(&bytes, at: place, corpus.randomElement(using: &random) ?? [])
        case 6: swap(&bytes, stretch)
        default: bytes.insert(contentsOf: words.randomElement(using: &random) ?? [], at: place)
        }
    }

    /// Continues with the rest of another input.
    private mutating func splice(_ bytes: inout [UInt8], at place: Int, _ other: [UInt8]) {
        bytes.replaceSubrange(place..., with: other[Int.random(in: 0...other.count, using: &random)...])
    }

    /// Moves a range elsewhere.
    private mutating func swap(_ bytes: inout [UInt8], _ stretch: Range<Int>) {
        let moved = Array(bytes[stretch])
        bytes.removeSubrange(stretch)
        bytes.insert(contentsOf: moved, at: Int.random(in: 0...bytes.count, using: &random))
    }
}
