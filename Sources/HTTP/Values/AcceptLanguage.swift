import Bytes

/// The languages that a client accepts (RFC 9110 §12.5.4).
public enum AcceptLanguage {
    /// Returns the language for a request: of the ranges that `lookUp` finds a language for, the one with the greatest
    /// weight, and of several the first (RFC 4647 §3.4). `nil` without such a range. Allocates nothing.
    ///
    /// A range of weight 0 is not acceptable. `*` finds nothing: it allows the language of readers who ask for none.
    public static func best<Language>(
        _ request: Request, lookUp: (_ range: UnsafeRawBufferPointer) -> Language?
    ) -> Language? {
        var best: Language?
        var bestWeight = 0
        request.forEachValue(of: "accept-language") { value in
            value.forEachListElement { element in
                if let (range, weight) = element.weighted, weight > bestWeight, let language = lookUp(range) {
                    best = language
                    bestWeight = weight
                }
                return true
            }
        }
        return best
    }
}
