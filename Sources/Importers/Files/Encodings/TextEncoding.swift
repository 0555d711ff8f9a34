import Base

/// An encoding of text.
public struct TextEncoding: Hashable, Sendable {
    /// The name for people, which `--encoding` takes.
    public let name: String
    /// ICU's name of the converter.
    let converter: String

    public static let utf8 = TextEncoding(name: "UTF-8", converter: "UTF-8")
    static let utf16LE = TextEncoding(name: "UTF-16LE", converter: "UTF-16LE")
    static let utf16BE = TextEncoding(name: "UTF-16BE", converter: "UTF-16BE")
    static let utf32LE = TextEncoding(name: "UTF-32LE", converter: "UTF-32LE")
    static let utf32BE = TextEncoding(name: "UTF-32BE", converter: "UTF-32BE")
    static let windows1252 = TextEncoding(name: "Windows-1252", converter: "windows-1252")
    static let windows1250 = TextEncoding(name: "Windows-1250", converter: "windows-1250")
    static let windows1254 = TextEncoding(name: "Windows-1254", converter: "windows-1254")
    static let windows1257 = TextEncoding(name: "Windows-1257", converter: "windows-1257")
    static let latin2 = TextEncoding(name: "ISO-8859-2", converter: "ISO-8859-2")
    static let macRoman = TextEncoding(name: "Mac Roman", converter: "macintosh")
    static let windows1251 = TextEncoding(name: "Windows-1251", converter: "windows-1251")
    static let windows1253 = TextEncoding(name: "Windows-1253", converter: "windows-1253")
    static let greek = TextEncoding(name: "ISO-8859-7", converter: "ISO-8859-7")
    static let windows1255 = TextEncoding(name: "Windows-1255", converter: "windows-1255")
    static let windows1256 = TextEncoding(name: "Windows-1256", converter: "windows-1256")
    static let koi8R = TextEncoding(name: "KOI8-R", converter: "KOI8-R")
    static let cyrillic = TextEncoding(name: "ISO-8859-5", converter: "ISO-8859-5")
    static let cp949 = TextEncoding(name: "CP949", converter: "windows-949")
    static let cp932 = TextEncoding(name: "CP932", converter: "ibm-943_P15A-2003")
    static let eucJP = TextEncoding(name: "EUC-JP", converter: "EUC-JP")
    static let gb18030 = TextEncoding(name: "GB18030", converter: "gb18030-2022")
    static let big5 = TextEncoding(name: "Big5", converter: "Big5")

    /// The byte that stands for undecodable bytes in decoded text.
    static let undecodable: UInt8 = 0xFF

    /// The encodings without a byte order mark, from which detection chooses, the most common first.
    static let candidates = [
        windows1252, gb18030, cp932, cp949, big5, windows1251, windows1250, windows1254, latin2, windows1253,
        greek, windows1257, koi8R, cyrillic, eucJP, windows1255, windows1256, macRoman,
    ]
}

extension TextEncoding {
    /// Finds the encoding that people, programs and ICU's detector call `name`. The name of a subset finds the
    /// superset, as in the WHATWG's Encoding Standard: ISO-8859-1 finds Windows-1252.
    public init?(named name: String) {
        let key = Self.key(name)
        if let known = Self.aliases[key] {
            self = known
        } else {
            // ICU knows 200 more.
            let other = TextEncoding(name: name, converter: name)
            guard !key.isEmpty, name.utf8.count <= 64, TextConverter(other) != nil else { return nil }
            self = other
        }
    }

    private static func key(_ name: String) -> String {
        String(name.lowercased().unicodeScalars.filter { $0.isASCII && $0.properties.isAlphabetic || "0"..."9" ~= $0 })
    }

    private static let aliases: [String: TextEncoding] = {
        var aliases: [String: TextEncoding] = [:]
        for encoding in [utf8, utf16LE, utf16BE, utf32LE, utf32BE] + candidates {
            aliases[key(encoding.name)] = encoding
            aliases[key(encoding.converter)] = encoding
        }
        let more: [(TextEncoding, [String])] = [
            (utf8, ["utf8bom", "ascii", "usascii"]),
            (utf16LE, ["utf16", "ucs2", "unicode"]),
            (utf32LE, ["utf32"]),
            (windows1252, ["cp1252", "1252", "ansi", "latin1", "iso88591"]),
            (windows1250, ["cp1250", "1250"]),
            (latin2, ["latin2"]),
            (windows1254, ["cp1254", "1254", "iso88599", "latin5"]),
            (windows1257, ["cp1257", "1257"]),
            (windows1251, ["cp1251", "1251"]),
            (windows1253, ["cp1253", "1253"]),
            (windows1255, ["cp1255", "1255", "iso88598", "iso88598i"]),
            (windows1256, ["cp1256", "1256"]),
            (koi8R, ["koi8"]),
            (macRoman, ["mac", "xmacroman"]),
            (cp949, ["euckr", "ksc5601", "uhc", "949", "windows949", "ksc56011987"]),
            (cp932, ["shiftjis", "sjis", "932", "windows31j", "mskanji", "windows932"]),
            (gb18030, ["gb2312", "gbk", "cp936", "936", "gb180302000", "windows936"]),
            (big5, ["cp950", "950", "windows950"]),
        ]
        for (encoding, names) in more { for name in names { aliases[name] = encoding } }
        return aliases
    }()
}

extension TextConverter {
    /// Returns `nil` if ICU does not know the encoding. Bytes that this encoding cannot decode become the byte 0xFF,
    /// which UTF-8 never contains, so that a reader rejects their record.
    convenience init?(_ encoding: TextEncoding) {
        self.init(encoding.converter, undecodable: TextEncoding.undecodable)
    }

    /// Returns the whole text in `bytes`. Bytes that the encoding does not have are U+FFFD. If the text should be UTF-8
    /// and is not, it is read as Windows-1252, which it most often is.
    static func text(_ bytes: UnsafeRawBufferPointer, in encoding: TextEncoding = .utf8) -> String {
        if encoding == .utf8 { return String(validating: bytes, as: UTF8.self) ?? text(bytes, in: .windows1252) }
        let buffer = ByteBuffer(capacity: bytes.count * 2)
        TextConverter(encoding)?.append(decoding: bytes, isLast: true, to: buffer)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }
}
