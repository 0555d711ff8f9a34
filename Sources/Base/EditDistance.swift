/// The number of letters that have to be added, removed, replaced or swapped with their neighbour to turn one word into
/// another (Damerau–Levenshtein, optimal string alignment).
public enum EditDistance {
    /// Returns the one of `names` that is nearest to `text`, the first of several; `nil` if none is within its limit.
    /// Ignores case. Compares only the first 100 letters of a text.
    public static func nearest(
        to text: String, in names: some Sequence<String>, atMost limit: (_ name: String) -> Int
    ) -> String? {
        let letters = letters(text)
        return names.compactMap { name in
            between(letters, self.letters(name), atMost: limit(name)).map { (name: name, distance: $0) }
        }.min { $0.distance < $1.distance }?.name
    }

    private static func letters(_ text: String) -> [Unicode.Scalar] {
        Array(text.lowercased().unicodeScalars.prefix(100))
    }

    /// Returns `nil` if the distance is greater than `limit`.
    public static func between<Element: Equatable>(_ left: [Element], _ right: [Element], atMost limit: Int) -> Int? {
        guard abs(left.count - right.count) <= limit else { return nil }
        var (before, last) = ([Int](), Array(0...right.count))
        for row in 1..<(left.count + 1) {
            var next = [row]
            for column in 1..<(right.count + 1) {
                let isSame = left[row - 1] == right[column - 1]
                var distance = min(last[column] + 1, next[column - 1] + 1, last[column - 1] + (isSame ? 0 : 1))
                let isSwapped =
                    row > 1 && column > 1 && left[row - 1] == right[column - 2] && left[row - 2] == right[column - 1]
                if isSwapped { distance = min(distance, before[column - 2] + 1) }
                next.append(distance)
            }
            guard next.contains(where: { $0 <= limit }) else { return nil }
            (before, last) = (last, next)
        }
        return last[right.count] <= limit ? last[right.count] : nil
    }
}
