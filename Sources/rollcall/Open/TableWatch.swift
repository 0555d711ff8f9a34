import Dispatch
import Foundation
import Glibc
import Importers
import Synchronization

/// Reads files again when they have changed, on a thread of its own.
final class TableWatch: Sendable {
    private let tables: [OpenedTable]
    private let every: Interval?
    private let changed: @Sendable () -> Void
    private let isStopped = Atomic(false)

    /// - Parameter changed: Called after a directory has changed.
    init(_ tables: [OpenedTable], every: Interval?, changed: @escaping @Sendable () -> Void) {
        (self.tables, self.every, self.changed) = (tables, every, changed)
    }

    func start() {
        for table in tables where table.isWatched {
            let thread = Thread { [self] in
                if table.source.remote == nil { watch(table) } else { fetch(table) }
            }
            thread.stackSize = 8 << 20
            thread.start()
        }
    }

    func stop() {
        isStopped.store(true, ordering: .relaxed)
        for table in tables { table.cancellation.cancel() }
    }

    private var isOver: Bool { isStopped.load(ordering: .relaxed) }

    private func reload(_ table: OpenedTable) {
        let (line, isChanged) = table.reload()
        if isOver { return }
        StandardStreams.write(line + "\n", to: STDOUT_FILENO)
        if isChanged { changed() }
    }

    private func fetch(_ table: OpenedTable) {
        guard let every else { return }
        var next = ContinuousClock.now + every.duration
        while !isOver {
            Thread.sleep(forTimeInterval: 0.2)
            guard ContinuousClock.now >= next else { continue }
            next = ContinuousClock.now + every.duration
            reload(table)
        }
    }

    private func watch(_ table: OpenedTable) {
        let notices = FolderNotices(of: table.source.path)
        var known = FileStamp(table)
        while !isOver {
            // 2 s: a folder on a server of files sends no notices.
            let isNoticed = notices.wait(milliseconds: 2000)
            if isNoticed { waitForQuiet(notices) }
            let now = FileStamp(table)
            guard now != known else { continue }
            known = now
            if now.exists {
                reload(table)
            } else {
                let line = "\(table.source.name) is gone; pages show it as it was".printable
                StandardStreams.write(line + "\n", to: STDOUT_FILENO)
            }
        }
    }

    /// Waits until nothing has happened for 200 ms, for a second at most: editors write in several steps.
    private func waitForQuiet(_ notices: FolderNotices) {
        let end = ContinuousClock.now + .seconds(1)
        while ContinuousClock.now < end, notices.wait(milliseconds: 200) {}
    }
}

/// What tells that a file, its settings or its photos have changed.
private struct FileStamp: Equatable {
    private struct One: Equatable {
        var size: Int64
        var seconds: Int
        var nanoseconds: Int
        var inode: UInt64
    }

    private var stamps: [One?]

    init(_ table: OpenedTable) {
        let folder = table.source.path.lastIndex(of: "/").map { String(table.source.path[...$0]) } ?? "./"
        let photos = table.source.options.photos ?? folder + "photos"
        stamps = [table.source.path, table.settingsPath ?? "", photos].map { path in
            var status = stat()
            guard !path.isEmpty, stat(path, &status) == 0 else { return nil }
            return One(
                size: Int64(status.st_size), seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec,
                inode: UInt64(status.st_ino))
        }
    }

    /// Whether the file itself is there.
    var exists: Bool { stamps[0] != nil }
}

/// The notices of the system about one name in a folder: written and closed, moved there, or deleted. Other names, such
/// as the locks and copies of editors, cause none.
private final class FolderNotices {
    private let descriptor: Int32
    private let name: [UInt8]

    init(of path: String) {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        name = Array((path.split(separator: "/").last ?? "").utf8)
        descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        let events = UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO) | UInt32(IN_DELETE)
        // Without notices, the time of the file is looked at.
        if descriptor >= 0 { inotify_add_watch(descriptor, folder, events) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Returns whether something happened to the name before the time was over.
    func wait(milliseconds: Int32) -> Bool {
        guard descriptor >= 0 else {
            usleep(UInt32(milliseconds) * 1000)
            return false
        }
        let end = ContinuousClock.now + .milliseconds(Int(milliseconds))
        while true {
            let left = (end - ContinuousClock.now).components
            let rest = Int32(clamping: left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000)
            if rest <= 0 { return false }
            var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&watched, 1, rest) > 0 else { return false }
            if readsName() { return true }
        }
    }

    /// Takes all notices, and returns whether one is about the name.
    private func readsName() -> Bool {
        var isFound = false
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 8192, alignment: 8)
        defer { room.deallocate() }
        while case let count = read(descriptor, room.baseAddress, room.count), count > 0 {
            var offset = 0
            // A head of 16 bytes, whose last number is the length of the name behind it.
            while offset + 16 <= count {
                let length = Int(room.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
                let bytes = room[(offset + 16)..<min(offset + 16 + length, count)].prefix { $0 != 0 }
                if bytes.elementsEqual(name) { isFound = true }
                offset += 16 + length
            }
        }
        return isFound
    }
}
