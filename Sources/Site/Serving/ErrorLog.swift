import Base
import Logging
import People
import Server
import Synchronization

/// An error of the store, and the directory that could not be read.
struct DirectoryError: Error {
    let directory: Directory
    let reason: any Error
}

/// Logs what the store reports. Damage of the same kind is logged once: every request that reads it fails in the same
/// way, and a line for each would hide everything else.
final class ErrorLog: Sendable {
    /// The ids under which damage was logged, and the reason that was logged last why the store cannot be read; `nil`
    /// while it can be read.
    private let state = Mutex<(damage: [String: String], trouble: String?)>(([:], nil))
    private let logger: Logger
    /// Limits the memory for damage whose messages differ in numbers.
    private static let maxDamage = 1000

    init(_ logger: Logger) { self.logger = logger }

    /// Logs `error`, which a `request` met if one is given, unless it is damage of the same directory that was logged
    /// before. Returns the id of the line in the log, which the response names.
    func log(_ error: any Error, prefix: String = "", of request: RequestMark = .none) -> String {
        let found = error as? DirectoryError
        let (directory, error) = (found?.directory, found?.reason ?? error)
        let id = String(UInt32.random(in: 0x1000_0000...UInt32.max), radix: 16)
        let message = "\(prefix)\(error)".printable
        if (error as? any StoreFailure)?.kind == .damage {
            // The origin identifies the database: one that was put in its place is reported again.
            let place = directory.map { "\($0.id) \($0.origin)" } ?? ""
            let damage = "\(place): \(message)"
            let known = state.withLock { state -> String? in
                if let known = state.damage[damage] { return known }
                if state.damage.count >= Self.maxDamage { state.damage = [:] }
                state.damage[damage] = id
                return nil
            }
            if let known { return known }
        }
        var metadata: Logger.Metadata = ["error-id": "\(id)"]
        request.add(to: &metadata)
        if let directory { metadata["directory"] = "\(directory.slug)" }
        logger.error("\(message)", metadata: metadata)
        return id
    }

    /// Logs that the store cannot be read, or that it can be read again, unless that was logged before.
    func note(trouble error: (any Error)?) {
        let message = error.map { "\($0)".printable }
        let isNew = state.withLock { state in
            if state.trouble == message { return false }
            state.trouble = message
            // After a recovery, the same damage is news.
            if message == nil { state.damage = [:] }
            return true
        }
        guard isNew else { return }
        if let message { logger.error("not ready: \(message)") } else { logger.info("the database can be read again") }
    }
}

/// The ids of a request in the log line of an error. Others who saw the request can find it by them.
struct RequestMark: Sendable {
    /// The id that a client or proxy gave it.
    var id: String?
    var trace: TraceParent?

    /// No request, or one that could not be parsed.
    static let none = RequestMark()

    private init() {}

    init(_ request: Request) {
        if let id = request.id { self.id = String(id) }
        trace = request.trace
    }

    func add(to metadata: inout Logger.Metadata) {
        if let id { metadata["request-id"] = "\(id)" }
        guard let trace else { return }
        metadata["trace"] = "\(String(writing: trace.appendTrace))"
        metadata["span"] = "\(String(writing: trace.appendSpan))"
    }
}
