import Base

/// Blobs that were read ahead, and the numbers and ranges that are known because of that.
struct PreparedBlobs {
    typealias Blob = (number: Int64, bytes: [UInt8])

    /// The blobs of a range, ascending; without `isComplete` only the last one.
    struct Known {
        var range: Range<Int64>
        var isComplete: Bool
        var blobs: [Blob] = []
    }

    /// `nil` for numbers without a blob.
    private var numbers: [Int64: [UInt8]?] = [:]
    /// Disjoint ranges by their lower bounds.
    private var ranges: [Int64: Known] = [:]
    private var bounds: [Int64] = []

    mutating func removeAll() {
        numbers.removeAll()
        ranges.removeAll()
        bounds.removeAll()
    }

    /// The blob with a number; `.some(nil)` if it is known not to exist.
    subscript(number: Int64) -> [UInt8]?? {
        get {
            if let known = numbers[number] { return known }
            guard let range = known(containing: number) else { return nil }
            if let blob = range.blobs.first(where: { $0.number == number }) { return .some(blob.bytes) }
            return range.isComplete ? .some(nil) : nil
        }
        set { numbers[number] = newValue }
    }

    func blobs(in range: Range<Int64>) -> Known? {
        guard let known = ranges[range.lowerBound], known.range == range else { return nil }
        return known
    }

    mutating func add(_ new: [Range<Int64>], areComplete: Bool) {
        for range in new { ranges[range.lowerBound] = Known(range: range, isComplete: areComplete) }
        bounds = ranges.keys.sorted()
    }

    mutating func append(_ number: Int64, _ bytes: UnsafeRawBufferPointer, toRangeFrom bound: Int64) {
        ranges[bound]?.blobs.append((number, Array(bytes)))
    }

    mutating func replace(_ number: Int64, by bytes: [UInt8]) {
        if numbers[number] != nil { numbers[number] = .some(bytes) }
        guard let bound = known(containing: number)?.range.lowerBound, var known = ranges.removeValue(forKey: bound)
        else { return }
        let blob = (number, bytes)
        let index = known.blobs.firstIndex { $0.number >= number } ?? known.blobs.count
        if index < known.blobs.count, known.blobs[index].number == number {
            known.blobs[index] = blob
        } else if known.isComplete {
            known.blobs.insert(blob, at: index)
        } else if index == known.blobs.count {
            // The new last one.
            known.blobs = [blob]
        }
        ranges[bound] = known
    }

    private func known(containing number: Int64) -> Known? {
        let next = bounds.indices.end { bounds[$0] <= number }
        guard next > 0, let known = ranges[bounds[next - 1]], known.range.contains(number) else { return nil }
        return known
    }
}
