import Synchronization
import _FoundationICU

/// The order of texts in one language, by the ICU library of the Swift toolchain: accents count, case does not, and
/// digits compare as numbers.
///
/// A collation makes keys, which any store compares byte by byte. Keys of two versions of ICU must not be mixed, so
/// whatever keeps keys keeps the ``stamp``, too.
package struct Collation: Hashable, Sendable {
    /// A BCP 47 tag (`de`), or `und` for the root collation.
    package let language: String

    /// The limits of keys: the text is cut before its key is made, the key afterwards.
    package static let maxScalars = 128
    package static let maxKeyBytes = 160

    package init(_ language: String) { self.language = language.isEmpty ? "und" : language }

    private static let suffix = "-u-kn-true;"

    /// The collation that has `stamp` here, or `nil` if other rules made its keys.
    package init?(stamp: String) {
        guard let end = stamp.firstRange(of: Self.suffix)?.lowerBound else { return nil }
        self.init(String(stamp[..<end]))
        if self.stamp != stamp { return nil }
    }

    /// The name of the rules by which keys are made: language, version of ICU and version of its rules, such as
    /// `de-u-kn-true;76.1;153.128`.
    ///
    /// The version of the rules alone does not tell all changes of ICU's data.
    package var stamp: String { Self.cache.value(of: self, \.stamps) { $0.makeStamp() } }

    /// A separator that sorts before all other characters on every level: it keeps the parts of a text apart, as a
    /// last name and a first name.
    package static let separator: [UInt8] = [0xEF, 0xBF, 0xBE]

    /// The letters that people look up names by in this language; `nil` if ICU knows none.
    package var index: CollationIndex? { Self.cache.value(of: self, \.indexes) { CollationIndex($0) } }

    /// The languages for which ICU has an order, by the first subtag of their tags.
    package static let languages: [String] = {
        let locales = (0..<swift_ucol_countAvailable()).compactMap { swift_ucol_getAvailable($0) }
        return Set(locales.map { String(String(cString: $0).prefix { $0 != "_" }) }).sorted()
    }()

    private func makeStamp() -> String {
        let text = { (read: (UnsafeMutablePointer<UInt8>) -> Void) in
            var parts: [UInt8] = [0, 0, 0, 0]
            read(&parts)
            while parts.count > 2, parts.last == 0 { parts.removeLast() }
            return parts.map { "\($0)" }.joined(separator: ".")
        }
        return "\(language)\(Self.suffix)\(text(swift_u_getVersion));\(text(Collator(self).readVersion))"
    }

    fileprivate static let cache = CollationCache()
}

/// The rules of the collations that this process uses, and collators that are not in use now.
private final class CollationCache: Sendable {
    struct Content {
        var stamps: [Collation: String] = [:]
        var indexes: [Collation: CollationIndex?] = [:]
        var idle: [Collation: [IdleCollator]] = [:]
    }

    /// Unchecked: a collator that is not in use may move to another thread, and only such ones are here. The lock of
    /// the cache orders the last use by one thread before the first one by the next.
    struct IdleCollator: @unchecked Sendable { let pointer: OpaquePointer }

    private let content = Mutex(Content())

    func value<Value: Sendable>(
        of collation: Collation, _ path: WritableKeyPath<Content, [Collation: Value]> & Sendable,
        _ make: (Collation) -> Value
    ) -> Value {
        if let value = content.withLock({ $0[keyPath: path][collation] }) { return value }
        let value = make(collation)
        content.withLock { $0[keyPath: path][collation] = value }
        return value
    }

    /// More collators than these of one language are closed after use.
    private static let maxIdle = 16

    func take(_ collation: Collation) -> OpaquePointer? {
        content.withLock { $0.idle[collation]?.popLast() }?.pointer
    }

    func giveBack(_ collator: OpaquePointer, of collation: Collation) {
        let collator = IdleCollator(pointer: collator)
        let isKept = content.withLock { content in
            guard content.idle[collation, default: []].count < Self.maxIdle else { return false }
            content.idle[collation, default: []].append(collator)
            return true
        }
        if !isKept { swift_ucol_close(collator.pointer) }
    }
}

/// Makes the keys of one collation. Belongs to one thread at a time. Opening one takes up to 9 ms, so it is used again.
package final class Collator {
    package let collation: Collation

    private let collator: OpaquePointer
    private let units = UnsafeMutablePointer<UInt16>.allocate(capacity: 2 * Collation.maxScalars)
    /// Room for the longest key: a scalar has a few bytes on each level.
    private let key = UnsafeMutablePointer<UInt8>.allocate(capacity: keyRoom)
    private static let keyRoom = 8192

    package init(_ collation: Collation) {
        self.collation = collation
        collator = Collation.cache.take(collation) ?? Self.open(collation.language)
    }

    deinit {
        Collation.cache.giveBack(collator, of: collation)
        units.deallocate()
        key.deallocate()
    }

    /// Opens the collator of a language, or that of the root for one that ICU does not know.
    private static func open(_ language: String) -> OpaquePointer {
        var status = U_ZERO_ERROR
        var collator = swift_ucol_open(locale(language), &status)
        if status.rawValue > 0 {
            status = U_ZERO_ERROR
            collator = swift_ucol_open("", &status)
        }
        // The root's rules are a part of the library, and of this program.
        guard let collator else { preconditionFailure("ICU has no rules to sort by: \(status)") }
        status = U_ZERO_ERROR
        swift_ucol_setStrength(collator, UCOL_SECONDARY)
        swift_ucol_setAttribute(collator, UCOL_NUMERIC_COLLATION, UCOL_ON, &status)
        return collator
    }

    /// Returns the name of a language for ICU, as a C string; an empty one if the tag is invalid.
    private static func locale(_ language: String) -> [CChar] {
        var status = U_ZERO_ERROR
        var locale = [CChar](repeating: 0, count: 160)
        swift_uloc_forLanguageTag(language, &locale, Int32(locale.count), nil, &status)
        return status.rawValue > 0 || locale.last != 0 ? [0] : locale
    }

    /// Writes the version of the rules, four numbers.
    func readVersion(to version: UnsafeMutablePointer<UInt8>) { swift_ucol_getVersion(collator, version) }

    /// Appends the key of UTF-8 text to `buffer`, which may hold the text if it has room for
    /// ``Collation/maxKeyBytes`` more.
    package func append(keyOf text: UnsafeRawBufferPointer, to buffer: ByteBuffer) {
        let length = Int(swift_ucol_getSortKey(collator, units, Int32(decode(text)), key, Int32(Self.keyRoom)))
        // Orders give the byte 255 to people without a value. Only U+FFFD and its neighbours have such keys.
        if key[0] == 255 { key[0] = 254 }
        // The last byte is the zero of a C string.
        buffer.append(UnsafeRawBufferPointer(start: key, count: min(max(0, length - 1), Collation.maxKeyBytes)))
    }

    /// Writes the beginning of `text` to `units`, and returns the number of units.
    private func decode(_ text: UnsafeRawBufferPointer) -> Int {
        var (count, scalars, index) = (0, 0, 0)
        while index < text.count, scalars < Collation.maxScalars {
            scalars += 1
            let start = index
            let scalar = text.utf8Scalar(at: &index) ?? "\u{FFFD}"
            if index == start { index += 1 }
            for unit in scalar.utf16 {
                units[count] = unit
                count += 1
            }
        }
        return count
    }
}

extension Collator {
    /// Returns the key of `text`.
    package func key(of text: String) -> [UInt8] {
        let buffer = ByteBuffer(capacity: Collation.maxKeyBytes)
        text.withBytes { append(keyOf: $0, to: buffer) }
        return [UInt8](buffer)
    }
}

/// The letters that people look up names by in one language (CLDR's index characters), and where each begins.
///
/// A letter begins with the first bytes of its own key: all names that start with it, in any case and with any accents,
/// have these bytes. Names before the first letter belong to `#`, names in scripts after the last letter's to `…`.
package struct CollationIndex: Sendable {
    package struct Letter: Sendable {
        package let label: String
        /// The least key of the letter; empty for the first one, `#`.
        package let start: [UInt8]
    }

    /// In the order of the collation: `#`, the letters of the language, and `…`.
    package let letters: [Letter]

    package static let before = "#", after = "…"

    /// Returns the label of the group that a letter belongs to: `O` for `ö` in languages in which Ö is not a letter of
    /// its own. Returns `nil` for any text that is neither a label nor a single letter.
    package func label(of text: String, in collation: Collation) -> String? {
        if letters.contains(where: { $0.label == text }) { return text }
        guard text.count == 1, text.first?.isLetter == true else { return nil }
        let key = Collator(collation).key(of: text)
        return letters.last { !key.lexicographicallyPrecedes($0.start) }?.label
    }
}

extension CollationIndex {
    /// Returns `nil` if the language has no letters to look up names by.
    fileprivate init?(_ collation: Collation) {
        let collator = Collator(collation)
        let start = { (text: String) -> [UInt8] in
            // The first level of a key ends with the byte 1.
            Array(collator.key(of: text).prefix { $0 != 1 })
        }
        let labels = Collator.indexCharacters(collation.language)
        // Ideographs name numbers of strokes, which are not written on the jump bar.
        if labels.contains(where: { $0.unicodeScalars.contains(where: \.properties.isIdeographic) }) { return nil }
        let pinyin = labels.compactMap { label in Self.pinyin(label, start).map { Letter(label: label, start: $0) } }
        var letters = pinyin.isEmpty ? labels.map { Letter(label: $0, start: start($0)) } : pinyin
        letters = letters.filter { !$0.start.isEmpty }.sorted { left, right in
            if left.start != right.start { return left.start.lexicographicallyPrecedes(right.start) }
            return collator.key(of: left.label).lexicographicallyPrecedes(collator.key(of: right.label))
        }
        // Letters with one beginning are one letter: Ё belongs to Е.
        letters = letters.indices.filter { $0 == 0 || letters[$0].start != letters[$0 - 1].start }.map { letters[$0] }
        guard letters.count > 1, let last = letters.last else { return nil }
        self.letters =
            [Letter(label: Self.before, start: [])] + letters
            + [Letter(label: Self.after, start: Self.end(after: last.start, start))]
    }

    /// The first scalar of the texts that sort at the beginning of a pinyin letter, or of a script.
    private static let pinyinMark = Unicode.Scalar(0xFDD0 as UInt32), scriptMark = Unicode.Scalar(0xFDD1 as UInt32)

    /// Returns the beginning of the ideographs whose pinyin starts with a letter, in collations that have them.
    private static func pinyin(_ label: String, _ start: (String) -> [UInt8]) -> [UInt8]? {
        guard let mark = pinyinMark else { return nil }
        let (alone, marked) = (start(String(mark)), start(String(mark) + label))
        return marked.starts(with: alone) ? nil : marked
    }

    /// Returns the least beginning of a script after the letter that begins with `last`: of each script by a sample
    /// letter, and of ideographs by those that come first in one language or another.
    private static func end(after last: [UInt8], _ start: (String) -> [UInt8]) -> [UInt8] {
        let scripts = scriptMark.map { mark in "LΩЯאب가カ字".unicodeScalars.map { "\(mark)\($0)" } } ?? []
        let starts = (scripts + ["亜", "一"]).map(start).filter { last.lexicographicallyPrecedes($0) }
        return starts.min { $0.lexicographicallyPrecedes($1) } ?? [255]
    }
}

extension Collator {
    /// Returns CLDR's index characters of a language; those of English for a language that CLDR does not know.
    fileprivate static func indexCharacters(_ language: String) -> [String] {
        let locale = locale(language)
        var status = U_ZERO_ERROR
        guard locale[0] != 0, let data = swift_ulocdata_open(locale, &status) else { return english }
        defer { swift_ulocdata_close(data) }
        // Otherwise ICU would take the language of the process.
        guard status.rawValue <= 0, status != U_USING_DEFAULT_WARNING, let set = swift_uset_openEmpty() else {
            return english
        }
        defer { swift_uset_close(set) }
        swift_ulocdata_getExemplarSet(data, set, 0, ULOCDATA_ES_INDEX, &status)
        if status.rawValue > 0 { return english }
        var characters: [String] = []
        for item in 0..<swift_uset_getItemCount(set) {
            var (first, last): (Int32, Int32) = (0, 0)
            var units = [UInt16](repeating: 0, count: 16)
            var status = U_ZERO_ERROR
            let count = swift_uset_getItem(set, item, &first, &last, &units, Int32(units.count), &status)
            if status.rawValue > 0 || count > units.count { continue }
            if count > 0 {
                characters.append(String(decoding: units[..<Int(count)], as: UTF16.self))
            } else if first <= last {
                characters += (first...last).compactMap { Unicode.Scalar(UInt32($0)).map(String.init) }
            }
        }
        return characters.isEmpty ? english : characters
    }

    private static let english = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".map(String.init)
}
