import Base
import Foundation
import Synchronization

/// The photos in a file, kept in a temporary folder until their people are saved: memory may not have room for all.
final class SpooledPhotos: Sendable {
    private let folder = Mutex<URL?>(nil)

    deinit {
        if let folder = folder.withLock({ $0 }) { try? FileManager.default.removeItem(at: folder) }
    }

    /// Makes the folder for the photos. Only this user may read it.
    func makeFolder() throws {
        try folder.withLock { folder in
            if folder != nil { return }
            let new = FileManager.default.temporaryDirectory.appending(path: "rollcall-photos-\(UUID().uuidString)")
            try FileManager.default.createDirectory(
                at: new, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            folder = new
        }
    }

    /// Opens the folder with the photos; `nil` if there is none.
    func opened() throws -> PhotoFolder? {
        try folder.withLock { $0?.path }.map { try PhotoFolder(path: $0, matchesNames: false) }
    }

    /// Keeps a photo once there is a folder, and returns its name, which depends on its bytes alone.
    func keep(_ bytes: [UInt8]) throws -> String {
        let hash = bytes.withUnsafeBytes { SipHash.hash($0, key: (1, 2)) }
        let digits = String(hash, radix: 16)
        let name = String(repeating: "0", count: 16 - digits.count) + digits
        guard let file = folder.withLock({ $0?.appending(path: name) }) else { return name }
        do { try Data(bytes).write(to: file) } catch {
            throw ImportError("cannot keep a photo in a temporary file: \(error.localizedDescription)")
        }
        return name
    }
}
