import Base
import Synchronization

/// Finds one of many texts by any spelling of it: as it is, or else in another case, or else without accents.
///
/// The forms of all texts are made once, when the first spelling differs from all of them: ten thousand texts take some
/// milliseconds, and a look-up then takes a microsecond.
public final class ValueIndex: Sendable {
    private struct Forms {
        var folded: [String: Int] = [:]
        var loose: [String: Int] = [:]
    }

    private let indexes: [String: Int]
    private let texts: [String]
    private let forms = Mutex<Forms?>(nil)

    /// The index of `texts`: of several that are spelled alike, the first one is found.
    public init(_ texts: [String]) {
        self.texts = texts
        indexes = Dictionary(zip(texts, texts.indices), uniquingKeysWith: { first, _ in first })
    }

    /// Returns the index of `text`: an exact match, or else the first one that ignores case, or else, if `isLoose`, the
    /// first one that ignores accents, too.
    public func index(of text: String, isLoose: Bool = false) -> Int? {
        if let index = indexes[text] { return index }
        return forms.withLock { kept in
            let forms = kept ?? makeForms()
            kept = forms
            let buffer = ByteBuffer(capacity: 256)
            if let index = forms.folded[Self.folded(text, buffer)] { return index }
            return isLoose ? forms.loose[text.valueForm] : nil
        }
    }

    private func makeForms() -> Forms {
        var forms = Forms()
        let buffer = ByteBuffer(capacity: 256)
        forms.folded.reserveCapacity(texts.count)
        forms.loose.reserveCapacity(texts.count)
        for (index, text) in texts.enumerated() {
            forms.folded.keep(index, for: Self.folded(text, buffer))
            forms.loose.keep(index, for: text.valueForm)
        }
        return forms
    }

    private static func folded(_ text: String, _ buffer: ByteBuffer) -> String {
        buffer.removeAll()
        let folded = buffer.append(folding: text)
        return String(decoding: buffer.bytes[folded], as: UTF8.self)
    }
}

extension [String: Int] {
    /// Keeps the first index of a text.
    fileprivate mutating func keep(_ index: Int, for text: String) { if self[text] == nil { self[text] = index } }
}
