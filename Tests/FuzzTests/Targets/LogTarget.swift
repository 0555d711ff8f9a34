import Base
import Foundation

@testable import Server

extension FuzzTarget {
    /// Lines of the access log: the input is a target, a referer, a user agent, a request id and a method.
    static let log = FuzzTarget(
        name: "log",
        words: [
            "\"", "\\", "\n", "\r", "\0", "\u{7F}", "\u{1B}[31m", "é", "\u{2028}", "\\x41", "</script>", "GET", "/a?b",
        ]
    ) { bytes in
        let parts = bytes.parts(5)
        let line = AccessLogLine(
            peer: Peer(), seconds: bytes.count * 86_399, method: parts[4].isEmpty ? nil : parts[4], target: parts[0],
            version: .http11, status: 200, bytes: bytes.count, microseconds: 7,
            referer: parts[1].isEmpty ? nil : parts[1], userAgent: parts[2], requestID: parts[3])
        let common = ByteBuffer()
        line.appendCommon(to: common)
        let isPrintable = common.bytes.dropLast().allSatisfy { $0 >= 0x20 && $0 < 0x7F }
        try hold(isPrintable && common.bytes.last == 0x0A, "not one line: \(String(common))")
        try hold(common.bytes.count { $0 == 0x22 } == 8, "a value breaks out of its quotes: \(String(common))")
        let json = ByteBuffer()
        line.appendJSON(to: json)
        try hold(
            json.bytes.dropLast().allSatisfy { $0 >= 0x20 && $0 != 0x7F } && json.bytes.last == 0x0A, "not one line")
        let object = try JSONSerialization.jsonObject(with: Data(json.bytes)) as? [String: Any] ?? [:]
        for (key, part) in [("target", parts[0]), ("user_agent", parts[2]), ("request_id", parts[3])] {
            try hold(
                (object[key] as? String).map { Array($0.utf8) } == Array(part.text.utf8),
                "\(key) is \(object[key] ?? "absent")")
        }
    }
}
