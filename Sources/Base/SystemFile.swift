import Glibc

/// Files by path and by descriptor: calls of the system, which take pointers, as functions that take and return values.
/// Where one fails, the reason is in `errno`; see ``reason``. Paths may have bytes that are not UTF-8
/// (`String.init(systemPath:)`).
public enum SystemFile {
    /// The reason why the last call failed, such as `No such file or directory`.
    public static var reason: String { String(cString: strerror(errno)) }

    /// Opens the file at `path` (open(2)); -1 if that fails.
    ///
    /// - Parameters:
    ///   - folder: The open folder that a relative path begins in; the working folder by default.
    ///   - mode: Who may do what with a file that is made.
    public static func open(_ path: String, in folder: Int32 = AT_FDCWD, _ flags: Int32, mode: mode_t = 0) -> Int32 {
        openat(folder, path.systemPath, flags | O_CLOEXEC, mode)
    }

    /// The status of the file at `path` (stat(2)).
    public static func status(of path: String) -> stat? { status { stat(path.systemPath, $0) } }

    /// The same for a link itself (lstat(2)).
    public static func status(ofLink path: String) -> stat? { status { lstat(path.systemPath, $0) } }

    public static func status(of descriptor: Int32) -> stat? { status { fstat(descriptor, $0) } }

    private static func status(_ call: (UnsafeMutablePointer<stat>) -> Int32) -> stat? {
        var status = stat()
        return call(&status) == 0 ? status : nil
    }

    /// Writes all of `bytes`; `false` if that fails.
    public static func write(_ bytes: Bytes, to descriptor: Int32) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
            return true
        }
    }

    /// Reads up to `count` bytes (read(2)): as many as are there now, none at the end; `nil` if that fails.
    public static func read(upTo count: Int, from descriptor: Int32) -> [UInt8]? {
        var result = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { room, filled in
            result = Glibc.read(descriptor, room.baseAddress, room.count)
            filled = max(0, result)
        }
        return result < 0 ? nil : bytes
    }

    /// Returns `path` without symbolic links (realpath(3)); `nil` if nothing is there.
    public static func realPath(of path: String) -> String? {
        guard let real = realpath(path.systemPath, nil) else { return nil }
        defer { free(real) }
        return String(systemPath: real)
    }

    /// Reads the next `count` bytes; `nil` if the file ends before, or if that fails.
    public static func read(_ count: Int, from descriptor: Int32) -> [UInt8]? {
        var end = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { room, filled in
            while end < count {
                let part = Glibc.read(descriptor, room.baseAddress.map { $0 + end }, count - end)
                if part < 0, errno == EINTR { continue }
                guard part > 0 else { break }
                end += part
            }
            filled = end
        }
        return end == count ? bytes : nil
    }

    /// Gives the file at `path` another name, whoever had that before (rename(2)).
    public static func rename(_ path: String, to other: String) -> Bool {
        Glibc.rename(path.systemPath, other.systemPath) == 0
    }

    /// Removes the name of a file (unlink(2)).
    @discardableResult public static func remove(_ path: String) -> Bool { unlink(path.systemPath) == 0 }

    /// Makes a folder that only this user may enter, whose path is `prefix` and six more characters (mkdtemp(3)).
    public static func makeFolder(prefix: String) -> String? {
        var template = Array(prefix.systemPath.dropLast() + "XXXXXX".utf8CString)
        return mkdtemp(&template).map { String(systemPath: $0) }
    }

    /// Waits until one of `descriptors` can be read, or until the time is over (poll(2)). Returns which can be read; a
    /// negative one never can.
    public static func wait(for descriptors: [Int32], milliseconds: Int32) -> [Bool] {
        var watched = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let isFound = poll(&watched, nfds_t(watched.count), milliseconds) > 0
        return watched.map { isFound && $0.revents != 0 }
    }
}

/// Changes of the files in folders (inotify(7)).
public struct FolderEvents: ~Copyable {
    /// Readable when something has happened; negative where the system does not tell.
    public let descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))

    public init() {}

    deinit { close(descriptor) }

    /// Watches for files in `folder` that are written and closed, moved there, or deleted. Returns the number of the
    /// folder; `nil` if the system cannot tell.
    public func add(_ folder: String) -> Int32? {
        let events = UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO) | UInt32(IN_DELETE) | UInt32(IN_ONLYDIR)
        let number = inotify_add_watch(descriptor, folder.systemPath, events)
        return number < 0 ? nil : number
    }

    /// Calls `body` with the folder and the name, in bytes, of all that has happened.
    public func take(_ body: (_ folder: Int32, _ name: ArraySlice<UInt8>) -> Void) {
        // A name has at most 255 bytes.
        while let events = SystemFile.read(upTo: 8192, from: descriptor), !events.isEmpty {
            var offset = 0
            // A head of 16 bytes: the number of the folder, and at the end the length of the name behind it.
            while offset + 16 <= events.count {
                let (folder, length) = events.withUnsafeBytes {
                    (
                        $0.loadUnaligned(fromByteOffset: offset, as: Int32.self),
                        Int($0.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
                    )
                }
                let end = min(offset + 16 + length, events.count)
                body(folder, events[(offset + 16)..<end].prefix { $0 != 0 })
                offset = end
            }
        }
    }
}
