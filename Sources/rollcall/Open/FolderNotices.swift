import Base
import CLinux
import Glibc
import Synchronization

/// The notices of the system about the files of a directory: written and closed, moved there, or deleted. Other names,
/// such as the locks and copies of editors, cause none.
final class FolderNotices {
    /// Where the system sends none, times of files are looked at.
    private let events = FolderEvents()
    private let end: WatchEnd
    /// The tests that tell which names count in each watched folder, by its number.
    private var wanted: [Int32: [(ArraySlice<UInt8>) -> Bool]] = [:]

    init(of watched: WatchedFiles, until end: WatchEnd) {
        self.end = end
        for path in [watched.file, watched.settings].compactMap(\.self) {
            let name = String(path.split(separator: "/").last ?? "").systemPath.dropLast().map(UInt8.init(bitPattern:))
            add(path.lastIndex(of: "/").map { String(path[...$0]) } ?? ".") { $0.elementsEqual(name) }
        }
        for folder in watched.photoFolders { add(folder, isWanted: Self.isPhoto) }
    }

    private func add(_ folder: String, isWanted: @escaping (ArraySlice<UInt8>) -> Bool) {
        if let number = events.add(folder) { wanted[number, default: []].append(isWanted) }
    }

    private static func isPhoto(_ name: ArraySlice<UInt8>) -> Bool {
        let name = String(decoding: name, as: UTF8.self).lowercased()
        return !name.hasPrefix(".") && [".jpg", ".jpeg", ".png", ".webp"].contains(where: name.hasSuffix)
    }

    /// Returns whether something happened to one of the files before the time was over, or the watch has ended.
    func wait(milliseconds: Int32) -> Bool {
        let deadline = ContinuousClock.now + .milliseconds(Int(milliseconds))
        while true {
            // After weeks of sleep, the deadline is further back than an `Int32` reaches.
            let rest = Int32(max(0, (deadline - ContinuousClock.now) / .milliseconds(1)))
            guard rest > 0, end.wait(milliseconds: rest, orFor: events.descriptor) else { return false }
            if readsName() { return true }
        }
    }

    /// Takes all notices, and returns whether one is about one of the files.
    private func readsName() -> Bool {
        var isFound = false
        events.take { folder, name in
            if wanted[folder]?.contains(where: { $0(name) }) == true { isFound = true }
        }
        return isFound
    }
}
