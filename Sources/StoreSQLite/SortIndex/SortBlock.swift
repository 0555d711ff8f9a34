import Bytes
import Directories
import GRDBSQLite

/// The users of one run or more of an order, ascending, as they are between reading and writing.
///
/// As bytes, a run is the number of users (4 bytes), the width of an id (1 byte: 4, or 8 where an id needs it), the ids,
/// and then what the order compares. Ids come first and all alike, so that a search reads them without the rest. Of a
/// text the length that it shares with the one before, how many bytes follow, and these; of a number the first in 8 bytes,
/// then differences. Lengths and differences are in groups of 7 bits, the least first. All numbers are little-endian.
final class SortBlock {
    // Unchecked exclusivity: no access lasts while other code runs, and the checks took a quarter of a batch's time here.
    @exclusivity(unchecked) private(set) var places: [SortKey] = []
    /// The texts of the places.
    let text = ByteBuffer(capacity: 1 << 13)
    let order: IndexedOrder

    /// Damaged bytes could say more than fits a ``Slice``.
    private static let maxText = 1 << 30

    /// The bytes of a run without users.
    static let none: [UInt8] = [0, 0, 0, 0, 4]

    init(_ order: IndexedOrder) {
        self.order = order
    }

    func removeAll() {
        places.removeAll(keepingCapacity: true)
        text.removeAll()
    }

    /// How many places come before `place`, or before and at it.
    func count(before place: SortKey, _ placeText: UnsafeRawBufferPointer, orAt: Bool) -> Int {
        let text = text.bytes
        var low = 0
        var high = places.count
        while low < high {
            let middle = (low + high) / 2
            let order = places[middle].compare(in: text, to: place, in: placeText)
            if order < 0 || (orAt && order == 0) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Appends a run. Throws if the bytes are none.
    func append(_ bytes: UnsafeRawBufferPointer) throws {
        let ids = try BlockIDs(bytes)
        var reader = BlockDecoder(bytes, from: ids.end)
        places.reserveCapacity(places.count + ids.count)
        switch order {
        case .id: for index in 0..<ids.count { places.append(SortKey(number: .min, id: ids[index])) }
        case .reputation: try appendNumbers(ids, &reader)
        case .login, .name: try appendTexts(ids, &reader)
        }
    }

    private func appendNumbers(_ ids: BlockIDs, _ reader: inout BlockDecoder) throws {
        guard ids.count > 0 else { return }
        var place = SortKey(number: .min, id: 0)
        place.prefix = try reader.readWord()
        for index in 0..<ids.count {
            let (sum, isTooGreat) = place.prefix.addingReportingOverflow(index > 0 ? try reader.readNumber() : 0)
            if isTooGreat { throw BlockDecoder.damage }
            place.prefix = sum
            place.id = ids[index]
            places.append(place)
        }
    }

    private func appendTexts(_ ids: BlockIDs, _ reader: inout BlockDecoder) throws {
        var last = 0..<0
        for index in 0..<ids.count {
            let shared = Int(truncatingIfNeeded: try reader.readNumber())
            let rest = Int(truncatingIfNeeded: try reader.readNumber())
            guard (0...last.count).contains(shared) else { throw BlockDecoder.damage }
            let suffix = try reader.read(rest)
            let start = text.count
            guard start + shared + rest <= Self.maxText else { throw BlockDecoder.damage }
            text.reserve(shared + rest)
            text.append(UnsafeRawBufferPointer(start: text.base + last.lowerBound, count: shared))
            text.append(suffix)
            last = start..<text.count
            places.append(SortKey(text: Slice(offset: start, count: last.count), in: text.bytes, id: ids[index]))
        }
    }
}

// MARK: - Changes

extension SortBlock {
    /// Appends a run with `changes` made to it, which are sorted, and whose texts are in `texts`.
    func append(_ run: SortBlock, changed changes: ArraySlice<SortChange>, _ texts: UnsafeRawBufferPointer) throws {
        var old = 0
        var next = changes.startIndex
        let runText = run.text.bytes
        while next < changes.endIndex {
            let place = changes[next].place
            var delta = 0
            while next < changes.endIndex, changes[next].place.compare(in: texts, to: place, in: texts) == 0 {
                delta += changes[next].delta
                next += 1
            }
            var order = 1
            let first = old
            while old < run.places.count {
                order = run.places[old].compare(in: runText, to: place, in: texts)
                if order >= 0 { break }
                old += 1
            }
            append(run, first..<old)
            let isThere = old < run.places.count && order == 0
            switch (isThere, delta) {
            case (true, -1): old += 1
            case (false, 1): append(place, texts[place.text])
            case (_, 0): break
            default: throw BlockDecoder.damage
            }
        }
        append(run, old..<run.places.count)
    }

    private func append(_ run: SortBlock, _ range: Range<Int>) {
        guard let first = range.first, let last = range.last else { return }
        guard order.isText else { return places.append(contentsOf: run.places[range]) }
        // The texts of neighbours lie side by side.
        let start = run.places[first].text.range.lowerBound
        let end = run.places[last].text.range.upperBound
        let moved = text.count - start
        text.append(UnsafeRawBufferPointer(rebasing: run.text.bytes[start..<end]))
        for index in range {
            var place = run.places[index]
            place.text = Slice(offset: Int(place.text.offset) + moved, count: Int(place.text.count))
            places.append(place)
        }
    }

    private func append(_ place: SortKey, _ placeText: UnsafeRawBufferPointer) {
        var place = place
        if order.isText {
            place.text = Slice(offset: text.count, count: placeText.count)
            text.append(placeText)
        }
        places.append(place)
    }
}
