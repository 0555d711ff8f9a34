import Foundation
import TestSupport

/// Two servers whose answers to the same requests must be equal.
final class TwinServers {
    /// An answer, without what may differ: times, entity tags and generations.
    private struct Answer: Equatable {
        var status: Int
        var fields: [String: String]
        var body: [UInt8]

        init(_ exchange: Exchange) throws {
            status = exchange.status
            let others: Set = ["content-length", "date", "etag", "last-modified", "x-ratelimit-reset", "x-request-id"]
            fields = exchange.fields.filter { !others.contains($0.key) }
            let isWorkbook = fields["content-type"]?.hasSuffix("spreadsheetml.sheet") == true
            body = isWorkbook ? try Self.sheets(of: exchange.body) : exchange.body
            body.removeAll(from: Array("<time ".utf8), to: Array("</time>".utf8))
            for name in ["\"generation\":", "\"reset\":", "data-live=\""] { body.blankNumber(after: Array(name.utf8)) }
        }

        /// Returns the files of a workbook, without the second in which it was made.
        private static func sheets(of workbook: [UInt8]) throws -> [UInt8] {
            let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).xlsx")
            try Data(workbook).write(to: path)
            defer { try? FileManager.default.removeItem(at: path) }
            let script = """
                import sys, zipfile
                book = zipfile.ZipFile(sys.argv[1])
                for name in sorted(set(book.namelist()) - {"docProps/core.xml"}):
                    print(name, book.read(name).decode())
                """
            let output = try run("python3", ["-c", script, path.path])
            guard output.status == 0 else { throw Failure(output.error) }
            return Array(output.output.utf8)
        }
    }

    private let servers: [RollcallProcess]
    private var requested: Set<String> = []
    /// The forms that links have had: the path without names of people, and the names of the parameters.
    private var forms: Set<String> = []
    private let secrets: [[UInt8]]
    /// What differs, or has a secret.
    private(set) var faults: [String] = []
    private(set) var count = 0

    init(_ servers: [RollcallProcess], secrets: [String]) {
        self.servers = servers
        self.secrets = secrets.map { Array($0.utf8) }
    }

    /// Requests `targets` of both servers, and then what the answers link to, one request of each form.
    func follow(_ targets: [String]) throws {
        var waiting = targets
        var next = 0
        while next < waiting.count {
            let target = waiting[next]
            next += 1
            guard requested.insert(target).inserted else { continue }
            let body = try compare(target)
            for link in body.links where !requested.contains(link) {
                if forms.insert(Self.form(of: link)).inserted { waiting.append(link) }
            }
        }
    }

    /// Returns the body of the first server's answer.
    @discardableResult func compare(_ target: String) throws -> [UInt8] {
        count += 1
        let answers = try [0, 1].map { try Answer(try answer(to: target, of: $0)) }
        let (a, b) = (answers[0], answers[1])
        if a.status != b.status {
            faults.append("\(target): \(a.status) and \(b.status)")
        } else if a.fields != b.fields {
            let names = Set(a.fields.keys).union(b.fields.keys).filter { a.fields[$0] != b.fields[$0] }
            faults.append("\(target): other fields: \(names.sorted())")
        } else if a.body != b.body {
            let place = zip(a.body, b.body).enumerated().first { $1.0 != $1.1 }?.offset ?? 0
            let texts = [a, b].map {
                String(decoding: $0.body.dropFirst(max(0, place - 60)).prefix(120), as: UTF8.self)
            }
            faults.append("\(target): other bodies: \(texts)")
        }
        // An answer may repeat what the request says.
        let asked = Array(target.utf8)
        for secret in secrets where asked.firstRange(of: secret) == nil {
            let fields = Array(a.fields.values.joined(separator: "\n").utf8) + Array(b.fields.values.joined().utf8)
            if [a.body, b.body, fields].contains(where: { $0.holds(secret) }) {
                faults.append("\(target): holds \(String(decoding: secret, as: UTF8.self))…")
            }
        }
        return a.body
    }

    /// Asks in HTTP/1.0: exports then come without chunks.
    private func answer(to target: String, of server: Int) throws -> Exchange {
        let connection = try Connection(port: servers[server].port)
        defer { connection.close() }
        try connection.write(Array("GET \(target) HTTP/1.0\r\nHost: localhost\r\n\r\n".utf8))
        return try Exchange(readFrom: connection)
    }

    private static func form(of target: String) -> String {
        let parts = target.split(separator: "?", maxSplits: 1)
        var path = parts[0].split(separator: "/").map(String.init)
        if path.count > 1, let last = path.last {
            path[path.count - 1] = "*" + (last.lastIndex(of: ".").map { String(last[$0...]) } ?? "")
        }
        let parameters =
            parts.count < 2
            ? []
            : parts[1].split(separator: "&").map { parameter in
                parameter.hasPrefix("directory=") ? String(parameter) : String(parameter.prefix { $0 != "=" })
            }
        return path.joined(separator: "/") + "?" + parameters.sorted().joined(separator: "&")
    }
}

extension [UInt8] {
    /// The targets of this site that a document names: texts in quotation marks or tags that begin with a slash, or
    /// with the address of the site.
    fileprivate var links: [String] {
        var links: [String] = []
        withUnsafeBytes { bytes in
            var start = 0
            for index in bytes.indices {
                let byte = bytes[index]
                guard byte == 0x22 || byte == 0x3C || byte == 0x3E else { continue }
                if let link = Self.link(UnsafeRawBufferPointer(rebasing: bytes[start..<index])) { links.append(link) }
                start = index + 1
            }
        }
        return links
    }

    private static let site = Array("http://localhost/".utf8)

    private static func link(_ text: UnsafeRawBufferPointer) -> String? {
        var text = text
        if text.count > 16, text[0] == site[0], text.starts(with: site) { text = .init(rebasing: text[16...]) }
        guard text.first == UInt8(ascii: "/"), text.count < 2000, text.count < 2 || text[1] != UInt8(ascii: "/"),
            text.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        let target = String(decoding: text, as: UTF8.self).replacing("&amp;", with: "&")
        // Events have no end.
        let isEndless = target == "/events" || target.hasPrefix("/events?")
        return target.contains("{") || isEndless ? nil : String(target.prefix { $0 != "#" })
    }

    /// Replaces the digits after each `name`.
    fileprivate mutating func blankNumber(after name: [UInt8]) {
        var rest = startIndex
        while let place = find(name, from: rest) {
            rest = place + name.count
            while rest < endIndex, (48...57).contains(self[rest]) { remove(at: rest) }
        }
    }

    /// Removes what is between `start` and `end`.
    fileprivate mutating func removeAll(from start: [UInt8], to end: [UInt8]) {
        var rest = startIndex
        while let first = find(start, from: rest), let last = find(end, from: first) {
            removeSubrange(first..<last)
            rest = first + end.count
        }
    }

    fileprivate func holds(_ text: [UInt8]) -> Bool { find(text, from: 0) != nil }

    private func find(_ text: [UInt8], from start: Int) -> Int? {
        withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return nil }
            var place = start
            while place + text.count <= bytes.count,
                let found = memchr(base + place, Int32(text[0]), bytes.count - place - text.count + 1)
            {
                place = base.distance(to: UnsafeRawPointer(found))
                if memcmp(base + place, text, text.count) == 0 { return place }
                place += 1
            }
            return nil
        }
    }
}
