import Foundation

/// A folder for PostgreSQL servers of one test process. Its last owner stops the servers and removes the folder.
///
/// This happens, too, if the process is killed: a shell reads from a socket whose other end only this process has.
final class PostgresFolder {
    /// A short path, because the name of a socket has at most 107 bytes.
    let path: String
    private var lifeline: Connection?
    private let watchdog: Program

    init() throws {
        var name = Array("/tmp/rollcall-pg.XXXXXX".utf8CString)
        guard mkdtemp(&name) != nil else { throw Failure("cannot create a folder in /tmp: errno \(errno)") }
        path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let (ours, theirs) = try Connection.pair()
        defer { theirs.close() }
        lifeline = ours
        watchdog = try Program(
            URL(filePath: "/bin/bash"), ["-c", Self.script, "bash", path], descriptors: [theirs.descriptor])
        try give(path)
    }

    /// Makes `path` the property of the user that servers run as.
    func give(_ path: String) throws {
        guard geteuid() == 0 else { return }
        guard let user = getpwnam("postgres") else { throw Failure("there is no user `postgres`") }
        guard chown(path, user.pointee.pw_uid, user.pointee.pw_gid) == 0 else {
            throw Failure("cannot change the owner of \(path): errno \(errno)")
        }
    }

    deinit { remove() }

    func remove() {
        guard let lifeline else { return }
        lifeline.close()
        self.lifeline = nil
        watchdog.wait()
    }

    /// A server's first process works in its data folder. Another process may have its number by now, elsewhere.
    private static let script = """
        trap '' HUP INT TERM
        read -r line <&3
        for data in "$1"/*/data; do
            process=$(head -n 1 "$data/postmaster.pid" 2>/dev/null) || continue
            data=$(readlink -f "$data")
            [ "$(readlink "/proc/$process/cwd")" = "$data" ] || continue
            kill -QUIT "$process" && kill -CONT "$process"
            while [ "$(readlink "/proc/$process/cwd")" = "$data" ]; do sleep 0.02; done
        done
        rm -rf "$1"
        """
}
