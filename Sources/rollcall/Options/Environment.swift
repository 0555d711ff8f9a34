import ArgumentParser
import Foundation
import Synchronization

/// Options from the environment: `--database` is `ROLLCALL_DATABASE`, `--dry-run` is `ROLLCALL_DRY_RUN`. The command
/// line takes precedence; an empty variable counts as absent.
///
/// The values are defaults of options, which cannot throw: a malformed one is noted, and ``check()`` throws it.
enum Environment {
    private static let malformed = Mutex<Set<String>>([])
    /// Read once: Foundation makes a new dictionary each time, and options ask for their defaults very often.
    private static let variables = ProcessInfo.processInfo.environment

    static func string(_ name: String) -> String? {
        let value = variables["ROLLCALL_\(name)"]
        return value?.isEmpty == true ? nil : value
    }

    static func int(_ name: String) -> Int? {
        guard let text = string(name) else { return nil }
        if let number = Int(text) { return number }
        note("expected a whole number in ROLLCALL_\(name), found \"\(text)\"")
        return nil
    }

    static func interval(_ name: String) -> Interval? {
        guard let text = string(name) else { return nil }
        if let interval = Interval(argument: text) { return interval }
        note("expected a duration like 90s, 15m, 6h or 1d in ROLLCALL_\(name), found \"\(text)\"")
        return nil
    }

    static func bool(_ name: String) -> Bool? {
        guard let text = string(name) else { return nil }
        switch text.lowercased() {
        case "1", "true", "yes", "on": return true
        case "0", "false", "no", "off": return false
        default:
            note("expected true or false in ROLLCALL_\(name), found \"\(text)\"")
            return nil
        }
    }

    static func value<Value: RawRepresentable & CaseIterable>(_ name: String) -> Value? where Value.RawValue == String {
        guard let text = string(name) else { return nil }
        if let value = Value(rawValue: text) { return value }
        let values = Value.allCases.map(\.rawValue).joined(separator: ", ")
        note("expected one of \(values) in ROLLCALL_\(name), found \"\(text)\"")
        return nil
    }

    /// Throws an error that lists the malformed variables read so far.
    static func check() throws {
        let problems = malformed.withLock { $0.sorted() }
        if !problems.isEmpty { throw ValidationError(problems.joined(separator: "\n")) }
    }

    private static func note(_ problem: String) {
        malformed.withLock { _ = $0.insert(problem) }
    }
}
