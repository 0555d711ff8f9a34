import Foundation

/// The programs of the newest PostgreSQL on this machine, and the user that they run as.
struct PostgresInstallation {
    let programs: URL

    init() throws {
        // Debian and Ubuntu keep the programs of a server out of the PATH, in a folder for each major version.
        let debian = "/usr/lib/postgresql"
        let versions = ((try? FileManager.default.contentsOfDirectory(atPath: debian)) ?? []).compactMap { Int($0) }
        let newest = versions.sorted().last { Self.isInstalled("\(debian)/\($0)/bin") }
        if let newest {
            programs = URL(filePath: "\(debian)/\(newest)/bin")
        } else if let program = try? Program.find("initdb") {
            programs = program.resolvingSymlinksInPath().deletingLastPathComponent()
        } else {
            throw Failure("PostgreSQL is not installed. `Tests/setup postgresql` installs it, and so does `Tests/run`.")
        }
    }

    private static func isInstalled(_ folder: String) -> Bool {
        ["initdb", "postgres"].allSatisfy { FileManager.default.isExecutableFile(atPath: "\(folder)/\($0)") }
    }

    /// Starts a program of PostgreSQL. As root, starts it as `postgres`, because a server refuses to run as root.
    func start(_ name: String, _ arguments: [String]) throws -> Program {
        let words = [programs.appending(path: name).path] + arguments
        let settings = ["-i", "PATH=\(programs.path):/usr/bin:/bin", "LC_ALL=C", "HOME=/tmp"]
        if geteuid() != 0 { return try Program(Program.find("env"), settings + words) }
        let user = ["--reuid=postgres", "--regid=postgres", "--init-groups", "env"]
        return try Program(Program.find("setpriv"), user + settings + words)
    }

    /// Runs a program of PostgreSQL to its end, and returns its output.
    @discardableResult func run(_ name: String, _ arguments: [String]) throws -> String {
        let program = try start(name, arguments)
        guard program.wait() == 0 else { throw Failure("\(name): \(program.errors)\(program.output)") }
        return program.output
    }
}
