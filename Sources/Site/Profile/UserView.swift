import Bytes
import Directories
import Fields

/// A row as pages show it: views of the page's text, valid as long as that text.
struct UserView {
    let id: Int64
    let login: UnsafeRawBufferPointer
    let displayName: UnsafeRawBufferPointer
    /// Whether the login is worth showing: it differs from the name, and Rollcall did not make it.
    let showsLogin: Bool
    /// Whether the source gave the login.
    let hasLogin: Bool
    /// Whether the source gave the id. One that Rollcall made is not shown.
    let showsID: Bool
    /// An http or https URL, or empty. So is `htmlURL`.
    let avatarURL: UnsafeRawBufferPointer
    let htmlURL: UnsafeRawBufferPointer
    /// Empty for an ordinary user.
    let type: UnsafeRawBufferPointer
    let reputation: Int64?
    let more: UnsafeRawBufferPointer
    /// The values that fields are read from.
    let record: FieldRecord
    /// Whether the user's page has `noindex`.
    let isNoIndex: Bool

    init(_ row: UserRow, _ text: UnsafeRawBufferPointer) {
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        id = row.id
        reputation = row.reputation
        login = text[row.login]
        more = text[row.more]
        let name = text[row.name]
        hasLogin = !row.generated.contains(.login)
        showsLogin = hasLogin && !name.isEmpty && !name.elementsEqual(login)
        showsID = !row.generated.contains(.id)
        record = FieldRecord(row, text)
        isNoIndex = row.isNoIndex
        displayName = name.isEmpty ? login : name
        // Imports check this, but another program may have written the database: no `javascript:` links.
        avatarURL = text[row.avatarURL].isWebURL ? text[row.avatarURL] : nothing
        htmlURL = text[row.htmlURL].isWebURL ? text[row.htmlURL] : nothing
        type = text[row.type].equals("User") ? nothing : text[row.type]
    }

    /// One of twelve colours, by the id (Fibonacci hashing), so that neighbours differ.
    var hue: Int { Int((UInt64(bitPattern: id) &* 0x9e37_79b9_7f4a_7c15) >> 32) % 12 }
}

extension ByteBuffer {
    /// Appends `number` with its digits in groups of three: `12,345`.
    func append(grouped number: Int64) {
        if number < 0 { append(UInt8(ascii: "-")) }
        append(groupedMagnitude: number.magnitude)
    }

    private func append(groupedMagnitude number: UInt64) {
        guard number >= 1000 else { return append(decimal: number) }
        append(groupedMagnitude: number / 1000)
        append(",")
        for divisor in [100, 10, 1] as [UInt64] { append(UInt8(truncatingIfNeeded: number / divisor % 10) + 48) }
    }

    /// Appends the initials of a name: the first letters of its first and last words, in capitals.
    func append(initialsOf name: UnsafeRawBufferPointer) {
        // No array of words: this runs for every user of a page.
        guard let start = name.firstIndex(where: { $0 != 0x20 }), let end = name.lastIndex(where: { $0 != 0x20 }) else {
            return
        }
        let text = UnsafeRawBufferPointer(rebasing: name[start...end])
        let firstEnd = text.firstIndex(of: 0x20) ?? text.count
        append(initialOf: UnsafeRawBufferPointer(rebasing: text[..<firstEnd]))
        guard let lastStart = text.lastIndex(of: 0x20) else { return }
        append(initialOf: UnsafeRawBufferPointer(rebasing: text[(lastStart + 1)...]))
    }

    private func append(initialOf word: UnsafeRawBufferPointer) {
        if let byte = word.first(where: { $0 >= 0x80 || ($0 | 0x20) &- 97 < 26 || $0 &- 48 < 10 }), byte < 0x80 {
            append(byte &- 97 < 26 ? byte - 32 : byte)
        } else if let letter = word.firstLoneLetter {
            append(utf8: letter.properties.uppercaseMapping)
        } else if let letter = String(decoding: word, as: UTF8.self).first(where: \.isInitial) {
            append(utf8: letter.uppercased())
        }
    }
}

extension UnsafeRawBufferPointer {
    /// The first character, if it is a letter that is a single scalar without combining marks. The result is that of
    /// ``Character``, for most names in a fifth of the time.
    fileprivate var firstLoneLetter: Unicode.Scalar? {
        var decoder = Unicode.UTF8()
        var bytes = makeIterator()
        guard case .scalarValue(let first) = decoder.decode(&bytes), first.isInAlphabet else { return nil }
        switch decoder.decode(&bytes) {
        case .emptyInput: break
        case .scalarValue(let next) where next.isASCII || next.isInAlphabet: break
        default: return nil
        }
        switch first.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter: return first
        default: return nil
        }
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is in one of the ranges of Unicode that are used in names and have no combining marks, which
    /// would form one character with the scalar before them.
    fileprivate var isInAlphabet: Bool {
        switch value {
        // Latin, Greek, Cyrillic, Armenian, Hebrew, Arabic.
        case 0xC0...0x2FF, 0x370...0x482, 0x48A...0x58F, 0x5D0...0x5EA, 0x620...0x64A, 0x671...0x6D3: true
        // More of Latin and Greek, kana, Chinese characters, Korean syllables.
        case 0x1E00...0x1FFF, 0x3041...0x3096, 0x30A1...0x30FA, 0x4E00...0x9FFF, 0xAC00...0xD7A3: true
        default: false
        }
    }
}

extension Character {
    /// Whether this can be an initial: a letter, a digit or a symbol, but no ʻokina or other modifier letter.
    fileprivate var isInitial: Bool {
        (isLetter || isNumber || isSymbol) && unicodeScalars.first?.properties.generalCategory != .modifierLetter
    }
}
