import Base
import Importers

/// How far an import is, for people.
extension ImportProgress {
    /// The work that is done, and the time that is left.
    var parts: [String] {
        let seconds = max(elapsed.seconds, 0.001)
        var parts = ["\(grouped(users)) users", "\(grouped(Int(Double(users) / seconds)))/s"]
        if rejected > 0 { parts.append("\(grouped(rejected)) rejected") }
        if let share { parts.append("\(Reporter.clock(seconds / share.ofRun - seconds)) left") }
        guard service.requests > 0 || service.waiting != nil else { return parts }
        parts += [counted(service.pages, "page"), counted(service.requests, "request")]
        if let quota = service.quota { parts.append("\(counted(quota.remaining, "request")) left") }
        if let waiting = service.waiting {
            let left = Reporter.clock(max(0, waiting.until.timeIntervalSinceNow.rounded(.up)))
            parts.append("waiting until \(waiting.until.ISO8601Format()) (\(left)): \(waiting.reason)")
        }
        return parts
    }

    /// The share that is done: of everything, and of this run. They differ if an earlier run was interrupted.
    var share: (ofAll: Double, ofRun: Double)? {
        if let size, size > 0, bytesRead > 0 {
            let share = min(1, Double(bytesRead) / Double(size))
            return (share, share)
        }
        guard let expected = service.expected, expected > 0, users > 0 else { return nil }
        let earlier = max(0, service.reached - users)
        return (
            min(1, Double(service.reached) / Double(expected)),
            min(1, Double(users) / Double(max(1, expected - earlier)))
        )
    }
}
