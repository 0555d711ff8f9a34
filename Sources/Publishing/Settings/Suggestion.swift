import Base

/// Finds the intended name for a mistyped one.
package enum Suggestion {
    /// Returns the name in `names` that is nearest to `text`, or `nil` if none is near: at most three letters, and at
    /// most a third of them, may differ. Ignores case.
    package static func nearest(to text: String, in names: some Sequence<String>) -> String? {
        let limit = min(max(text.unicodeScalars.count / 3, 1), 3)
        return names.nearest(to: text) { _ in limit }
    }

    /// Returns ` (did you mean "filters"?)`, or nothing if no name in `names` is near `text`.
    package static func question(_ text: String, in names: some Sequence<String>) -> String {
        nearest(to: text, in: names).map { " (did you mean \"\($0)\"?)" } ?? ""
    }

    /// Returns `unknown field "titel" (did you mean "title"?); expected one of title, team`.
    static func unknownField(_ key: String, in names: [String]) -> String {
        let known = names.isEmpty ? "" : "; expected one of \(names.joined(separator: ", "))"
        return "unknown field \"\(key)\"\(question(key, in: names))\(known)"
    }
}
