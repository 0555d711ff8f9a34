import Base
import CLinux
import Glibc
import Synchronization

/// Reads files again when they have changed, on a thread for each.
final class TableWatch: Sendable {
    private let tables: [OpenedTable]
    private let every: Interval?
    private let changed: @Sendable () -> Void
    private let end = WatchEnd()
    private let threads = Mutex<[OwnedThread]>([])

    /// - Parameter changed: Called after a directory has changed.
    init(_ tables: [OpenedTable], every: Interval?, changed: @escaping @Sendable () -> Void) {
        (self.tables, self.every, self.changed) = (tables, every, changed)
    }

    func start() {
        threads.withLock { threads in
            threads = tables.filter(\.isWatched).map { table in
                OwnedThread { [self] in
                    if table.source.remote == nil { watch(table) } else { fetch(table) }
                }
            }
        }
    }

    /// Returns when no file is read any more.
    func stop() {
        end.come()
        for table in tables { table.cancellation.cancel() }
        for thread in threads.withLock({ $0 }) { thread.join() }
    }

    /// Reads the file of `table` again. Returns whether it may be half-written, and is to be read once it is settled.
    @discardableResult
    private func reload(_ table: OpenedTable, isSettled: Bool) -> Bool {
        let outcome = table.reload(isSettled: isSettled)
        if end.hasCome { return false }
        switch outcome {
        case .unchanged: break
        case .unsettled: return true
        case .kept(let line): StandardStreams.write(line + "\n", to: STDOUT_FILENO)
        case .shown(let line):
            // Somebody who reads the line may load a page at once.
            changed()
            StandardStreams.write(line + "\n", to: STDOUT_FILENO)
        }
        return false
    }

    private func fetch(_ table: OpenedTable) {
        guard let every else { return }
        while true {
            end.wait(until: ContinuousClock.now + every.duration)
            if end.hasCome { return }
            reload(table, isSettled: true)
        }
    }

    private func watch(_ table: OpenedTable) {
        let notices = FolderNotices(of: table.watched, until: end)
        var known = table.stampAtStart
        while !end.hasCome {
            // 2 s: a folder on a server of files sends no notices.
            let isNoticed = notices.wait(milliseconds: 2000)
            if isNoticed { waitForQuiet(notices) }
            if end.hasCome { return }
            let now = WatchStamp(of: table.watched)
            guard isNoticed || now != known else { continue }
            // The file may have been deleted again and again, and read already.
            let wasThere = known.hasFile
            known = now
            guard now.hasFile || wasThere, reload(table, isSettled: false) else { continue }
            known = waitUntilSettled(table.watched, notices)
            reload(table, isSettled: true)
        }
    }

    /// Waits until the files have not changed for two seconds, and returns their state.
    private func waitUntilSettled(_ files: WatchedFiles, _ notices: FolderNotices) -> WatchStamp {
        var known = WatchStamp(of: files)
        while !end.hasCome {
            // 2 s: a program that writes a file in steps, or over a network, seldom pauses for longer.
            let isNoticed = notices.wait(milliseconds: 2000)
            let now = WatchStamp(of: files)
            if !isNoticed, now == known { break }
            known = now
        }
        return known
    }

    /// Waits until nothing has happened for 200 ms, for a second at most: editors write in several steps.
    private func waitForQuiet(_ notices: FolderNotices) {
        let limit = ContinuousClock.now + .seconds(1)
        while ContinuousClock.now < limit, !end.hasCome, notices.wait(milliseconds: 200) {}
    }
}

/// The end of a watch, or of a command that runs again and again, which wakes the threads that wait.
final class WatchEnd: Sendable {
    /// Readable from the end on.
    private let descriptor = eventfd(0, Int32(EFD_CLOEXEC))

    deinit { close(descriptor) }

    func come() { eventfd_write(descriptor, 1) }

    var hasCome: Bool { SystemFile.wait(for: [descriptor], milliseconds: 0) == [true] }

    /// Waits for the end, or until `time`, on a clock that nobody sets and that runs while the machine sleeps: a day by
    /// which the time of day is corrected must not delay the next run by a day.
    func wait(until time: ContinuousClock.Instant) {
        while case let left = time - ContinuousClock.now, left > .zero, !hasCome {
            // An hour at most at once: the clock of the wait stands still while the machine sleeps.
            wait(milliseconds: Int32(min(left.seconds, 3600) * 1000) + 1)
        }
    }

    /// Waits for the end, or until `file` can be read; a negative one never can. Returns whether it can, before the
    /// end.
    @discardableResult func wait(milliseconds: Int32, orFor file: Int32 = -1) -> Bool {
        SystemFile.wait(for: [descriptor, file], milliseconds: milliseconds) == [false, true]
    }
}

struct WatchedFiles {
    let file: String
    let settings: String?
    let photos: String

    /// The folder with photos, and the folder `photos` in it.
    var photoFolders: [String] { [photos, photos + "/photos"] }
}

/// The signs that a file, its settings or its photos have changed.
struct WatchStamp: Equatable {
    /// The numbers that tell one state of each from another.
    private var stamps: [[Int]?]

    init(of watched: WatchedFiles) {
        stamps = ([watched.file, watched.settings ?? ""] + watched.photoFolders).enumerated().map { index, path in
            guard !path.isEmpty, let status = SystemFile.status(of: path) else { return nil }
            // Any file changes its folder: only another folder counts here, and notices tell the rest.
            let place = Int(truncatingIfNeeded: status.st_ino)
            return index > 1 ? [place] : [place, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
        }
    }

    var hasFile: Bool { stamps[0] != nil }
}
