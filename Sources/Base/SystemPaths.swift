import Glibc

extension Unicode.Scalar {
    /// The byte that the scalar stands for in a name of ``Swift/String/init(systemPath:)``; `nil` for all others.
    fileprivate var nameByte: UInt8? {
        (0x10F780...0x10F7FF).contains(value) ? UInt8(truncatingIfNeeded: value) : nil
    }

    /// - Parameter nameByte: 0x80 to 0xFF.
    fileprivate init(nameByte: UInt8) { self = Unicode.Scalar(0x10F700 + UInt32(nameByte)) ?? "\u{FFFD}" }
}

/// The names of files are bytes, which need not be UTF-8: `M\xFCller.csv` is in Latin-1.
///
/// A `String` holds such a name with one scalar of a private-use plane, U+10F780 to U+10F7FF, for each byte that is not
/// part of UTF-8. Calls of the system get ``systemPath``, which has the bytes again.
extension String {
    /// The path or name of the bytes before the zero byte. Bytes that would be one of the scalars that stand for bytes
    /// are held one by one as well, so that no two names become the same text.
    public init(systemPath: UnsafePointer<CChar>) {
        let bytes = UnsafeRawBufferPointer(start: systemPath, count: strlen(systemPath))
        if let text = String(validating: bytes, as: UTF8.self), !text.hasNameBytes {
            self = text
            return
        }
        var scalars = String.UnicodeScalarView()
        var index = 0
        while index < bytes.count {
            let start = index
            if let scalar = bytes.utf8Scalar(at: &index), scalar.nameByte == nil {
                scalars.append(scalar)
            } else {
                scalars.append(Unicode.Scalar(nameByte: bytes[start]))
                index = start + 1
            }
        }
        self = String(scalars)
    }

    /// The bytes of the path, and a zero byte.
    public var systemPath: [CChar] {
        guard hasNameBytes else { return Array(utf8CString) }
        var bytes: [UInt8] = []
        for scalar in unicodeScalars {
            if let byte = scalar.nameByte { bytes.append(byte) } else { bytes += scalar.utf8 }
        }
        return bytes.map(CChar.init(bitPattern:)) + [0]
    }

    /// Whether a part of it stands for bytes that are not UTF-8.
    public var hasNameBytes: Bool { utf8.contains(0xF4) && unicodeScalars.contains { $0.nameByte != nil } }

    /// The text as readers see it, with U+FFFD for each byte that is not UTF-8.
    public var withoutNameBytes: String { replacingNameBytes { _ in "\u{FFFD}" } }

    /// The text with `\xFC` for the byte 0xFC that is not UTF-8.
    var showingNameBytes: String { replacingNameBytes(with: Self.escape) }

    private func replacingNameBytes(with text: (UInt8) -> String) -> String {
        guard hasNameBytes else { return self }
        return unicodeScalars.map { $0.nameByte.map(text) ?? String($0) }.joined()
    }

    /// The text as one word of a shell that gives it these bytes: `$'M\xFCller.csv'` (POSIX.1-2024, 2.2.4).
    var dollarQuoted: String {
        let quoted = unicodeScalars.map { scalar in
            if let byte = scalar.nameByte { return Self.escape(byte) }
            if scalar == "'" || scalar == "\\" { return "\\\(scalar)" }
            return scalar.acts ? scalar.utf8.map(Self.escape).joined() : String(scalar)
        }
        return "$'\(quoted.joined())'"
    }

    private static func escape(_ byte: UInt8) -> String {
        "\\x" + byte.hexadecimal.uppercased()
    }
}

extension String {
    /// The type of the file at this path, or behind the links there: `S_IFREG`, `S_IFDIR` and others; `nil` if there is
    /// none.
    public var fileType: mode_t? {
        SystemFile.status(of: self).map { $0.st_mode & S_IFMT }
    }
}

extension SystemFile {
    /// Returns the names in the folder at `path`, in order; `nil`, with the reason in `errno`, if it cannot be read.
    public static func names(inFolder path: String) -> [String]? {
        let folder = open(path, O_RDONLY | O_DIRECTORY)
        guard folder >= 0 else { return nil }
        defer { close(folder) }
        var names: [String] = []
        return forEachEntry(of: folder, { name, _ in names.append(name) }) ? names.sorted() : nil
    }

    /// Calls `body` for each name in the folder that is open as `descriptor`, which stays open, with whether it is a
    /// file itself. Returns `false`, with the reason in `errno`, if the folder cannot be read.
    @discardableResult
    public static func forEachEntry(
        of descriptor: Int32, _ body: (_ name: String, _ isFile: Bool) -> Void
    ) -> Bool {
        let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0 else { return false }
        guard let stream = fdopendir(copy) else {
            close(copy)
            return false
        }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(systemPath: $0) }
            }
            body(name, entry.pointee.d_type == DT_REG)
        }
        return true
    }
}
