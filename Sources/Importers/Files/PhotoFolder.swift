import Base
import Foundation
import Glibc
import People
import Synchronization

/// The folder with the photos of a file's people: the folder of the file, or the one that `--photos` names.
///
/// Nothing outside of the folder is ever opened: neither above it nor behind a symbolic link. Confined to one thread.
public final class PhotoFolder {
    static let maxBytes = Int64(PictureLimits.maxInputBytes)

    private let folder: OpenFile
    /// The files by the normal form of their names without the extension.
    private lazy var names: [String: String] = Self.names(in: folder)

    /// Whether photos also match by the names of people: only in a folder that the publisher named.
    public let matchesNames: Bool

    /// Opens the folder at `path`.
    public init(path: String, matchesNames: Bool = true) throws(RollcallError) {
        folder = try required(
            OpenFile(SystemFile.open(path, O_RDONLY | O_DIRECTORY)),
            "cannot open the folder \(path): \(SystemFile.reason)")
        self.matchesNames = matchesNames
    }

    /// Returns what is found at the path in a cell of a table, such as `photos/anna.jpg`, beneath the folder. A
    /// template may leave out the ending: `photos/anna`.
    func match(cell: String) -> PhotoMatch {
        guard let path = Self.components(of: cell), let last = path.last else {
            return .dropped("it leads out of the folder")
        }
        let names = [last] + (Self.extensions + Self.extensions.map { $0.uppercased() }).map { last + $0 }
        // The path may begin with the folder itself.
        let paths = [path] + (path.count > 1 ? [[last]] : [])
        let found = paths.lazy.flatMap { path in names.lazy.map { self.match(path.dropLast() + [$0]) } }
        return found.first { $0 != .notFound } ?? .notFound
    }

    /// The names of all photos directly in the folder, sorted.
    public var files: [String] { Self.files(in: folder).filter(Self.isPhoto) }

    /// Returns the file named after one of `names`, in this order, ignoring case, hyphens, underscores and spaces.
    public func file(named wanted: [String]) -> String? {
        wanted.lazy.map(Self.normalized).filter { !$0.isEmpty }.compactMap { self.names[$0] }.first
    }

    /// Returns the bytes of the file at `path`: the names of folders, and of the file.
    public func read(_ path: [String]) throws(RollcallError) -> [UInt8] {
        let (file, match) = opened(path)
        guard let file, case .matched = match else { throw RollcallError(match.reason) }
        let size = min(Int64(SystemFile.status(of: file.descriptor)?.st_size ?? 0), Self.maxBytes)
        let bytes = SystemFile.read(upTo: Int(size), from: file.descriptor)
        return try required(bytes, "it cannot be read: \(SystemFile.reason)")
    }

    /// Returns the photo named after one of `names`, in this order: a handle, a login, a key, a name. Returns `nil` if
    /// no photo matches. Ignores case, hyphens, underscores and spaces.
    func match(names wanted: [String]) -> PhotoMatch? {
        file(named: wanted).map { match($0.split(separator: "/").map(String.init)) }
    }

    /// Whether the photo at `path` would be found for everyone who is called `name`.
    public func isNamed(_ path: [String], after name: String) -> Bool {
        file(named: Self.names(from: name)) == path.joined(separator: "/")
    }

    /// Returns the names by which a photo may be that of a person called `name`: as it is, and with the surname first,
    /// or last. Korean and Chinese names have no space between their parts.
    public static func names(from name: String) -> [String] {
        if let parts = EastAsianName(name) {
            return [name, "\(parts.first) \(parts.last)", "\(parts.last) \(parts.first)"]
        }
        let words = name.split(separator: " ")
        guard let first = words.first, let last = words.last else { return [] }
        return [words, [last] + words.dropLast(), words.dropFirst() + [first]].map { $0.joined(separator: " ") }
    }

    /// Returns the names of the folders and of the file in `cell`; `nil` if it is absolute or leads upwards.
    private static func components(of cell: String) -> [String]? {
        // Spreadsheets on Windows write backslashes.
        let text = cell.trimmed.replacing("\\", with: "/")
        let isAbsolute = text.hasPrefix("/") || text.dropFirst().hasPrefix(":")
        let parts = text.split(separator: "/").map(String.init).filter { $0 != "." }
        // 32 folders and 255 bytes each: more than any real path has.
        guard !isAbsolute, !parts.isEmpty, parts.count <= 32,
            parts.allSatisfy({ $0 != ".." && !$0.utf8.contains(0) && $0.utf8.count <= 255 })
        else { return nil }
        return parts
    }

    private func match(_ path: [String]) -> PhotoMatch { opened(path).match }

    /// Opens the file at `path`, and looks what it is.
    private func opened(_ path: [String]) -> (file: OpenFile?, match: PhotoMatch) {
        var file = folder
        for (index, name) in path.enumerated() {
            let isLast = index == path.count - 1
            // A FIFO in the place of a photo must not make the import wait.
            let flags = O_RDONLY | O_NOFOLLOW | (isLast ? O_NONBLOCK : O_DIRECTORY)
            guard let inner = OpenFile(SystemFile.open(name, in: file.descriptor, flags)) else {
                switch errno {
                case ELOOP: return (nil, .dropped("it is a symbolic link"))
                // With O_DIRECTORY, a link to a folder fails with ENOTDIR.
                case ENOTDIR where Self.isLink(name, in: file): return (nil, .dropped("it is behind a symbolic link"))
                case EACCES: return (nil, .dropped("it cannot be read"))
                default: return (nil, .notFound)
                }
            }
            file = inner
        }
        return (file, Self.look(at: file.descriptor, path))
    }

    private static func isLink(_ name: String, in folder: OpenFile) -> Bool {
        var status = stat()
        return fstatat(folder.descriptor, name.systemPath, &status, AT_SYMLINK_NOFOLLOW) == 0
            && status.st_mode & S_IFMT == S_IFLNK
    }

    private static func look(at file: Int32, _ path: [String]) -> PhotoMatch {
        guard let status = SystemFile.status(of: file), status.st_mode & S_IFMT == S_IFREG else {
            return .dropped("it is not a file")
        }
        if status.st_size > maxBytes { return .dropped("it has more than 32 MiB") }
        var start = [UInt8](repeating: 0, count: PictureType.markBytes)
        let count = max(0, pread(file, &start, start.count, 0))
        let mark = start.prefix(count)
        if isHEIC(mark) { return .dropped("HEIC cannot be read; export it as JPEG") }
        guard let type = PictureType(of: mark) else {
            return .dropped("it is not a JPEG, PNG or WebP")
        }
        return .matched(type, path: path)
    }

    /// Whether a file begins with a box `ftyp` of a brand of HEIF (ISO/IEC 23008-12), as phones write photos.
    private static func isHEIC(_ start: ArraySlice<UInt8>) -> Bool {
        let brands = ["heic", "heix", "heim", "heis", "hevc", "mif1", "msf1"]
        return start.dropFirst(4).starts(with: "ftyp".utf8)
            && brands.contains { start.dropFirst(8).starts(with: $0.utf8) }
    }

    /// Returns the names of the files in `folder` that are not hidden, and of whatever else is called like a photo.
    private static func files(in folder: OpenFile) -> [String] {
        var files: [String] = []
        SystemFile.forEachEntry(of: folder.descriptor) { name, isFile in
            // 100,000, to bound memory.
            if isFile || isPhoto(name), !name.hasPrefix("."), files.count < 100_000 { files.append(name) }
        }
        return files.sorted()
    }

    private static func isPhoto(_ file: String) -> Bool { extensions.contains(where: file.lowercased().hasSuffix) }

    /// Returns the photos directly in `folder` by the normal form of their names. If several have the same form, the
    /// first by name counts.
    ///
    /// Those in its folder `photos` come after them, with that in front of their names.
    private static func names(in folder: OpenFile) -> [String: String] {
        var names: [String: String] = [:]
        func add(_ files: [String], in path: String) {
            names.merge(files.filter(isPhoto).map { (key(of: $0), path + $0) }) { first, _ in first }
        }
        add(files(in: folder), in: "")
        let inner = SystemFile.open("photos", in: folder.descriptor, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        if let inner = OpenFile(inner) { add(files(in: inner), in: "photos/") }
        return names
    }

    /// The normal form of a file's name without the extension.
    private static func key(of file: String) -> String {
        normalized(String(file[..<(file.lastIndex(of: ".") ?? file.endIndex)]))
    }

    /// Returns the files directly in the folder that are not among `used`, each with the reason.
    public func unused(besides used: Set<String>) -> [(file: String, reason: String)] {
        Self.files(in: folder).filter { !used.contains($0) }.map { file in
            let match = match([file])
            guard case .matched = match else { return (file, match.reason) }
            if let other = names[Self.key(of: file)], other != file { return (file, "\(other) has the same name") }
            return (file, "nobody has this name")
        }
    }

    private static let extensions = [".jpg", ".jpeg", ".png", ".webp"]

    private static func normalized(_ name: String) -> String {
        name.precomposedStringWithCompatibilityMapping.lowercased()
            .split { $0.isWhitespace || "-_.".contains($0) }.joined(separator: " ")
    }
}

/// The result of looking for a photo.
enum PhotoMatch: Equatable {
    /// The file at `path`: the names of folders, and of the file.
    case matched(PictureType, path: [String])
    case notFound
    /// A file that was rejected, with the reason: `it is a symbolic link`.
    case dropped(String)

    /// Why the photo is missing.
    fileprivate var reason: String {
        switch self {
        case .matched: ""
        case .notFound: "it was not found"
        case .dropped(let reason): reason
        }
    }
}

/// The photos in a file, kept in a temporary folder until their people are saved: memory may not have room for all.
final class SpooledPhotos: Sendable {
    private let folder = Mutex<String?>(nil)

    deinit {
        if let folder = folder.withLock({ $0 }) { try? FileManager.default.removeItem(atPath: folder) }
    }

    /// Makes the folder for the photos. Only this user may read it.
    func makeFolder() throws {
        try folder.withLock { folder in
            let parent = FileManager.default.temporaryDirectory.path
            folder = folder ?? SystemFile.makeFolder(prefix: "\(parent)/rollcall-photos-")
            if folder == nil { throw RollcallError("cannot make a folder in \(parent): \(SystemFile.reason)") }
        }
    }

    /// Opens the folder with the photos; `nil` if there is none.
    func opened() throws -> PhotoFolder? {
        try folder.withLock { $0 }.map { try PhotoFolder(path: $0, matchesNames: false) }
    }

    /// Keeps a photo once there is a folder, and returns its path, which depends on its bytes alone. Unlike a name of
    /// sixteen digits, a path shows that its column is one of photos; the folder that it begins with is the whole one.
    func keep(_ bytes: [UInt8]) throws -> String {
        let name = bytes.withUnsafeBytes { SipHash.hash($0, key: (1, 2)) }.hexadecimal
        let path = "photos/" + name
        guard let folder = folder.withLock({ $0 }) else { return path }
        do { try Data(bytes).write(to: URL(filePath: "\(folder)/\(name)")) } catch {
            throw RollcallError("cannot keep a photo in a temporary file: \(error.localizedDescription)")
        }
        return path
    }
}
