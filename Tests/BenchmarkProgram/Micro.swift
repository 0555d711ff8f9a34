import Assets
import Base
import Logging
import Mustache
import People
import Server
import Site
import StoreSQLite
import TestSupport

/// Measures the parts of a request one at a time, in this process, in nanoseconds of CPU time each.
struct Micro {
    private let store: SQLiteStore
    private let directory: Directory
    private let lastID: Int64
    private let rounds: Int
    private let filter: String?

    /// `database` holds users with ids up to `lastID`. Only benchmarks whose name contains `filter` are measured.
    init(database: String, lastID: Int64, rounds: Int, filter: String?) throws {
        store = try SQLiteStore(path: database)
        guard let directory = store.directories.first else { throw Failure("\(database) has no directory") }
        self.directory = directory
        self.lastID = lastID
        self.rounds = rounds
        self.filter = filter
    }

    func table() throws -> Table {
        var table = Table("Micro-benchmarks (\(Double(directory.total).grouped) people)", "what", "µs of CPU")
        func add(_ name: String, times: Int, _ body: () throws -> Void) throws {
            if let filter, !name.contains(filter) { return }
            try table.add(name, (measure(times: times, body) / 1000).shown(2))
        }
        try addParsing(add)
        try addRendering(add)
        try addStore(add)
        try addSite(add)
        return table
    }

    private typealias Add = (_ name: String, _ times: Int, _ body: () throws -> Void) throws -> Void

    /// Returns the median of the means of all rounds.
    private func measure(times: Int, _ body: () throws -> Void) throws -> Double {
        for _ in 0..<(times / 10 + 1) { try body() }
        return try (0..<rounds).map { _ in
            let watch = Stopwatch()
            for _ in 0..<times { try body() }
            return watch.elapsed / Double(times)
        }.median
    }
}

// MARK: - Requests and values

extension Micro {
    private static let short =
        "GET /fragment?since=30 HTTP/1.1\r\nHost: people.example\r\nAccept-Encoding: gzip\r\n\r\n"
    private static let long = """
        GET /fragment?since=30&per_page=10 HTTP/1.1\r
        Host: people.example\r
        Connection: keep-alive\r
        sec-ch-ua: "Chromium";v="142", "Not_A Brand";v="99"\r
        sec-ch-ua-mobile: ?0\r
        sec-ch-ua-platform: "Linux"\r
        User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36\r
        Accept: text/html\r
        Sec-Fetch-Site: same-origin\r
        Sec-Fetch-Mode: cors\r
        Sec-Fetch-Dest: empty\r
        Referer: https://people.example/\r
        Accept-Encoding: gzip, deflate, br, zstd\r
        Accept-Language: en-GB,en;q=0.9,ko;q=0.8\r
        \r

        """

    private func addParsing(_ add: Add) throws {
        for (name, text) in [("parse a request of curl's", Self.short), ("parse a request of Chromium's", Self.long)] {
            let bytes = Array(text.utf8)
            var head = RequestHead()
            try add(name, 20_000) {
                guard case .request = bytes.withUnsafeBytes({ RequestParser().parse($0, into: &head) }) else {
                    throw Failure("the request was rejected")
                }
            }
        }
        let key = CollationKeys(language: "und").key(of: "Renée van der Berg")
        let cursor = Cursor.key(key, stamp: 1, id: 123_456)
        let buffer = ByteBuffer(capacity: 256)
        try add("encode and decode a cursor by name", 20_000) {
            buffer.removeAll()
            buffer.append(cursor, in: .name)
            guard Cursor(encoded: buffer.bytes, for: .name) == cursor else { throw Failure("the cursor changed") }
        }
    }
}

// MARK: - Templates and gzip

extension Micro {
    private enum PersonField: Int, TemplateField {
        case id, login, name, href, initials
        var kind: FieldKind { self == .href ? .url : .text }
    }
    private enum ListField: Int, TemplateField {
        case people
        var kind: FieldKind { .list(Schema(PersonField.self)) }
    }

    private func addRendering(_ add: Add) throws {
        let source = """
            {{#people}}<article class="user" id="user-{{id}}" data-id="{{id}}" tabindex="0"><span>{{initials}}</span>
            <h2><a href="{{href}}" dir="auto">{{name}}</a></h2><p>@<bdi>{{login}}</bdi> #{{id}}</p></article>{{/people}}
            """
        let template = try Template("list", schema: Schema(ListField.self)) { _ in Array(source.utf8) }
        let model = Model()
        let buffer = ByteBuffer(capacity: 65_536)
        try add("fill and render ten people with a template", 5000) {
            model.removeAll()
            buffer.removeAll()
            let frame = model.makeFrame(ListField.self)
            for person in model.makeList(frame, .people, of: PersonField.self, count: 10) {
                model.set(person, .id, decimal: 123_456)
                model.set(person, .login, "renee")
                model.set(person, .name, "Renée van der Berg & Söhne")
                model.set(person, .href, "/users/renee")
                model.set(person, .initials, "RS")
            }
            template.render(frame, of: model, into: buffer)
        }
        let site = try Asker(store)
        for (name, target) in [("gzip a fragment of 10", "/fragment"), ("gzip the first page of 30", "/")] {
            let bytes = site.get(target, fields: "").body.bytes
            let compressor = GzipCompressor()
            try add("\(name) (\(bytes.count) bytes)", 500) {
                buffer.removeAll()
                bytes.withUnsafeBytes { compressor.compress($0, into: buffer) }
            }
        }
        // Compressing the same text again and again trains the branch predictor; a server compresses new text each
        // time.
        var random = SplitMix(state: 3)
        let fragments = (0..<500).map { _ in
            site.get("/fragment?since=\(Int64.random(in: 0..<lastID, using: &random))", fields: "").body.bytes
        }
        let compressor = GzipCompressor()
        var next = 0
        try add("gzip a fragment of 10, another one each time", 2000) {
            buffer.removeAll()
            fragments[next % fragments.count].withUnsafeBytes { compressor.compress($0, into: buffer) }
            next += 1
        }
    }
}

// MARK: - The store

extension Micro {
    private func addStore(_ add: Add) throws {
        let reader = try store.makeReader()
        var random = SplitMix(state: 1)
        func page(_ sort: Sort, _ start: UserQuery.Start, _ search: Search? = nil) throws -> Page {
            let query = UserQuery(directory: directory.id, search: search, sort: sort, start: start, limit: 10)
            guard let page = try reader.page(query) else { throw Failure("no directory") }
            return page
        }
        try add("read 10 by id at random depth", 5000) {
            _ = try page(Sort(), .after(.id(.random(in: 0..<lastID, using: &random))))
        }
        for key in [Sort.Key.login, .name] {
            var sort = Sort()
            sort.key = key
            // Existing positions, taken from pages by id: only pages give cursors in this order.
            let places = try (0..<200).map { _ in
                let rows = try page(Sort(), .after(.id(.random(in: 0..<(lastID - 1000), using: &random)))).users
                return try place(of: rows, key)
            }
            try add("read 10 by \(key.name) at random depth", 2000) {
                _ = try page(sort, .after(places[Int.random(in: 0..<places.count, using: &random)]))
            }
        }
    }

    private func place(of rows: UserRows, _ key: Sort.Key) throws -> Cursor {
        let row = rows.rows[0]
        switch key {
        case .id, .field, .relevance: return .id(row.id)
        case .login: return .text(rows[row.login].folded, id: row.id)
        case .name:
            let name = row.name.isEmpty ? row.login : row.name
            let key = CollationKeys(language: "und").key(of: rows[name])
            return .key(key, stamp: CollationStamp(language: "und").hash, id: row.id)
        }
    }
}

// MARK: - The whole site, without sockets

extension Micro {
    private func addSite(_ add: Add) throws {
        let site = try Asker(store)
        try add("answer a cached fragment", 20_000) { _ = site.get("/fragment?since=30", fields: Asker.gzip) }
        var random = SplitMix(state: 2)
        for (name, fields) in [("uncompressed", ""), ("gzipped", Asker.gzip)] {
            try add("answer a new fragment at random depth, \(name)", 3000) {
                _ = site.get("/fragment?since=\(Int64.random(in: 0..<lastID, using: &random))", fields: fields)
            }
        }
        try add("answer a new first page of 30, gzipped", 1000) {
            _ = site.get("/?since=\(Int64.random(in: 0..<lastID, using: &random))", fields: Asker.gzip)
        }
        try add("answer 30 people as new JSON, gzipped", 1000) {
            _ = site.get("/api/v3/users?since=\(Int64.random(in: 0..<lastID, using: &random))", fields: Asker.gzip)
        }
    }
}

/// Sends requests to a `Site` in this process.
private struct Asker {
    static let gzip = "Accept-Encoding: gzip\r\n"
    private let responder: any Responder

    init(_ store: SQLiteStore) throws {
        let logger = Logger(label: "benchmark") { _ in SwiftLogNoOpLogHandler() }
        let site = try Site(configuration: Site.Configuration(), store: store, assets: .builtIn, logger: logger)
        responder = site.makeResponder()
    }

    func get(_ target: String, fields: String) -> Response {
        let text = Array("GET \(target) HTTP/1.1\r\nHost: people.example\r\n\(fields)\r\n".utf8)
        return text.withUnsafeBytes { bytes in
            var heads = [RequestHead()]
            guard case .request = RequestParser().parse(bytes, into: &heads[0]) else { return Response(.badRequest) }
            switch responder.respond(to: Request(bytes: bytes, head: heads.span)) {
            case .now(let response): return response
            case .later(let work): return work()
            }
        }
    }
}
