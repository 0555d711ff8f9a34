import Foundation
import Importers
import People
import StoreSQLite
import Synchronization
import TestSupport

/// The people of the demo, among them some with names that break careless pages, and some without a name. Their
/// directory has the order of their ids.
///
/// The first ten people have pictures, and then one in ten: a browser takes 15 ms of CPU time for each.
struct AwkwardPeople: ImportSource {
    private let count: Int

    init(count: Int) { self.count = count }

    func read(into sink: ImportSink) throws {
        for (index, user) in DemoPeople.users(count: count).enumerated() {
            var user = Self.names[index].map { awkward(user, index, $0) } ?? withoutName(user, index)
            if index > 10 && index % 10 > 0 { user.avatarURL = nil }
            try sink.add(user)
        }
    }

    private func awkward(_ user: User, _ index: Int, _ person: (login: String, name: String)) -> User {
        let figures = [69: 1_234_567_890_123, 73: -7]
        let figure = figures[index].map { #""reputation":\#($0),"# } ?? ""
        return User(
            id: user.id, login: person.login, name: person.name,
            more: index % 2 == 0 ? nil : "{\(figure)\"note\":\"made up, and awkward on purpose\"}", generated: .id)
    }

    private func withoutName(_ user: User, _ index: Int) -> User {
        guard index > 60, index % 40 == 7 else { return user }
        var user = user
        (user.name, user.generated) = (nil, .id)
        return user
    }

    /// Not on the first screen, but on the next ones.
    private static let names: [Int: (login: String, name: String)] = [
        64: ("tables", "Robert'); DROP TABLE user;--"),
        69: ("markup", "<b>Bold</b> & \"Quoted\" <script>alert(1)</script>"), 73: ("entity", "Amp &amp; Ersand"),
        77: (
            "long",
            "Wolfeschlegelsteinhausenbergerdorff Bartholomäus Maximilian Ferdinand von und zu "
                + "Hohenlohe-Langenburg-Schillingsfürst der Ältere"
        ),
        81: ("unbroken", String(repeating: "Donaudampfschifffahrt", count: 6)), 86: ("sparkles", "✨ Zoë 👩🏽‍🚀 🏳️‍🌈 ✨"),
        91: ("both-ways", "Dana דנה دانة Даная"), 95: ("marks", "Z̷̢a̸̧l̵g̶o̴ C̈ọ̈m̃b̂ìn̄ḯñg̊"),
        102: ("decomposed", "E\u{301}lise Bjo\u{308}rk A\u{30A}gren"),
        108: ("quote-s", "Niamh “Nín” O’Súilleabháin-d'Estaing"), 113: ("initials", "J. R. R. T."),
        117: ("digits", "12345"), 122: ("single", "X"), 126: ("mathematical", "𝓕𝓪𝓷𝓬𝔂 𝕃𝕖𝕥𝕥𝕖𝕣𝕤"),
        131: ("UPPER-Case", "MIXED case NAME"), 137: ("percent-20", "100% %20 ?a=b&c=d #e /f"),
    ]

    /// Returns the path of a database with these people in directory `demo`, made once for all tests of this run, which
    /// only read it.
    static func database(users: Int) throws -> String {
        try databases.withLock { databases in
            if let path = databases[users] { return path }
            if databases.isEmpty { atexit { AwkwardPeople.removeDatabases() } }
            let path = folder.appending(path: "\(users).sqlite").path
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let store = try SQLiteStore(path: path, for: .importing)
            let directory = try store.openDirectory(Slug(literal: "demo"), title: "Juniper Works", source: "demo")
            var settings = DemoPeople.settings
            settings.own.order = "id"
            try directory.adopt(settings)
            if case .failed(let error) = ImportRun(writer: directory).run(AwkwardPeople(count: users)).end {
                throw error
            }
            databases[users] = path
            return path
        }
    }

    private static let databases = Mutex<[Int: String]>([:])
    private static let folder = FileManager.default.temporaryDirectory.appending(
        path: "rollcall-people-\(ProcessInfo.processInfo.processIdentifier)")

    private static func removeDatabases() { try? FileManager.default.removeItem(at: folder) }
}

extension RollcallProcess {
    /// Starts the program with the people of the demo and awkward ones, in the order of their ids.
    public static func demo(users: Int, _ options: [String] = []) throws -> RollcallProcess {
        try RollcallProcess(["serve", "--database", AwkwardPeople.database(users: users), "--port", "0"] + options)
    }

    /// The path of their database, which tests may copy.
    public static func demoDatabase(users: Int) throws -> String { try AwkwardPeople.database(users: users) }

    /// The ids of the people of ``demo(users:_:)``, in order.
    public static func demoIDs(users: Int) -> [Int] { DemoPeople.users(count: users).map { Int($0.id) } }
}
