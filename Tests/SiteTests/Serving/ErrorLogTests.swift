import Logging
import People
import Server
import Synchronization
import Testing

@testable import Site

@Suite("Logging errors of the store")
struct ErrorLogTests {
    private struct Failure: StoreFailure, CustomStringConvertible {
        var description: String
        var kind: StoreFailureKind? = .damage
    }

    /// Keeps the lines of a log.
    private final class Lines: Sendable {
        private let all = Mutex<[String]>([])

        var logger: Logger { Logger(label: "test") { _ in Handler(lines: self) } }
        func append(_ line: String) { all.withLock { $0.append(line) } }
        func take() -> [String] {
            all.withLock { lines in
                defer { lines = [] }
                return lines
            }
        }
    }

    private struct Handler: LogHandler {
        let lines: Lines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { lines.append("\(event.message)") }
    }

    private func damage(_ text: String, _ directory: Directory) -> DirectoryError {
        DirectoryError(directory: directory, reason: Failure(description: text))
    }

    private let lines = Lines()
    private var errors: ErrorLog { ErrorLog(lines.logger) }

    @Test func damageIsLoggedOnceForEachDirectoryAndMessage() {
        let errors = errors
        var crew = Directory.people
        crew.id = 2
        let first = errors.log(damage("a", .people))
        #expect(errors.log(damage("a", .people)) == first, "the log has the visitor's id")
        #expect(errors.log(damage("a", crew)) != first)
        #expect(errors.log(damage("b", .people)) != first)
        #expect(lines.take() == ["a", "a", "b"])
        var restored = Directory.people
        restored.origin = 5
        _ = errors.log(damage("a", restored))
        #expect(lines.take() == ["a"], "another database took its place")
    }

    @Test func otherErrorsAreLoggedEachTime() {
        let errors = errors
        let busy = DirectoryError(directory: .people, reason: Failure(description: "busy", kind: nil))
        for _ in 0..<3 { _ = errors.log(busy) }
        #expect(lines.take() == ["busy", "busy", "busy"])
    }

    @Test func troubleIsLoggedWhenItChanges() {
        let errors = errors
        for message in ["a", "a", "b", nil, nil, "b"] { errors.note(trouble: message.map { Failure(description: $0) }) }
        #expect(lines.take() == ["not ready: a", "not ready: b", "the database can be read again", "not ready: b"])
    }

    @Test func damageAfterARecoveryIsLoggedAgain() {
        let errors = errors
        let damage = Failure(description: "a")
        _ = errors.log(damage)
        errors.note(trouble: damage)
        errors.note(trouble: nil)
        _ = errors.log(damage)
        #expect(lines.take() == ["a", "not ready: a", "the database can be read again", "a"])
    }

    @Test func everyRequestGetsAnErrorWithAnID() throws {
        let store = FakeStore([.make(1)])
        store.breakDown(with: Failure(description: "damaged"))
        let client = try SiteClient(store: store, logger: lines.logger)
        for target in ["/", "/fragment", "/api/v3/users", "/api/character"] {
            let response = client.get(target)
            #expect(response.status == .serviceUnavailable && response.fields["X-Request-Id"] != nil, "\(target)")
        }
        #expect(lines.take() == ["damaged"])
        for _ in 0..<3 { #expect(client.get("/readyz").status == .serviceUnavailable) }
        #expect(lines.take() == ["not ready: damaged"])
    }
}
