extension Sequence<String> {
    /// Returns the one of these names that is nearest to `text`, the first of several; `nil` if none is within its
    /// limit. Ignores case. Compares only the first 100 letters of a text.
    public func nearest(to text: String, atMost limit: (_ name: String) -> Int) -> String? {
        let letters = { (text: String) in Array(text.lowercased().unicodeScalars.prefix(100)) }
        let wanted = letters(text)
        return compactMap { name in
            wanted.distance(to: letters(name), atMost: limit(name)).map { (name: name, distance: $0) }
        }.min { $0.distance < $1.distance }?.name
    }
}

extension Array where Element: Equatable {
    /// Returns the number of letters that have to be added, removed, replaced or swapped with their neighbour to turn
    /// one word into another (Damerau–Levenshtein, optimal string alignment); `nil` if it is greater than `limit`.
    public func distance(to right: [Element], atMost limit: Int) -> Int? {
        let left = self
        guard abs(left.count - right.count) <= limit else { return nil }
        var (before, last) = ([Int](), [Int](0...right.count))
        for row in 1..<(left.count + 1) {
            var next = [row]
            for column in 1..<(right.count + 1) {
                let isSame = left[row - 1] == right[column - 1]
                var distance = Swift.min(last[column] + 1, next[column - 1] + 1, last[column - 1] + (isSame ? 0 : 1))
                let isSwapped =
                    row > 1 && column > 1 && left[row - 1] == right[column - 2] && left[row - 2] == right[column - 1]
                if isSwapped { distance = Swift.min(distance, before[column - 2] + 1) }
                next.append(distance)
            }
            guard next.contains(where: { $0 <= limit }) else { return nil }
            (before, last) = (last, next)
        }
        return last[right.count] <= limit ? last[right.count] : nil
    }
}
