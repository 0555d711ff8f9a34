/// How often something occurred, by reason, with a text and the locations of the first ones.
struct Tally<Reason: Equatable & Sendable>: Equatable, Sendable {
    struct Count: Equatable, Sendable {
        let reason: Reason
        /// That of the first one.
        let text: String
        var count = 0
        var places: [String] = []

        var firstPlace: String { places.first ?? "" }
    }

    /// Further locations are counted but not listed.
    let maxPlaces: Int
    /// In the order in which they occurred first.
    private(set) var counts: [Count] = []

    init(maxPlaces: Int) { self.maxPlaces = maxPlaces }

    var total: Int { counts.reduce(0) { $0 + $1.count } }

    subscript(reason: Reason) -> Count? { counts.first { $0.reason == reason } }

    mutating func add(_ reason: Reason, _ text: String = "", at place: @autoclosure () -> String) {
        let index = index(of: reason, text)
        counts[index].count += 1
        if counts[index].places.count < maxPlaces { counts[index].places.append(place()) }
    }

    static func += (total: inout Tally, more: Tally) {
        for count in more.counts {
            let index = total.index(of: count.reason, count.text)
            total.counts[index].count += count.count
            total.counts[index].places += count.places.prefix(total.maxPlaces - total.counts[index].places.count)
        }
    }

    /// Returns the index of the count for `reason`, which is added with `text` if it is missing.
    private mutating func index(of reason: Reason, _ text: String) -> Int {
        if let index = counts.firstIndex(where: { $0.reason == reason }) { return index }
        counts.append(Count(reason: reason, text: text))
        return counts.count - 1
    }
}
