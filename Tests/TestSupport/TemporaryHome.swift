import Foundation

/// A new home folder for a program, so that it finds no settings and leaves no traces. Its last owner removes it.
final class TemporaryHome {
    let folder = FileManager.default.temporaryDirectory.appending(path: "rollcall-home-\(UUID().uuidString)")

    init() throws {
        // Firefox and GLib take only a runtime folder that nobody else can read.
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    var environment: [String: String] {
        let names = ["HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"]
        return Dictionary(uniqueKeysWithValues: names.map { ($0, folder.path) })
    }
}
