import Foundation
import TestSupport

/// A response as curl or this process received it.
struct CurlAnswer {
    var status: Int
    /// Field values by lower-case name; for repeated fields, the last value.
    var fields: [String: String]
    var body: Data

    var text: String { String(decoding: body, as: UTF8.self) }

    /// Returns the target of the `Link` with this relation.
    func link(_ relation: String) -> String? {
        for part in (fields["link"] ?? "").components(separatedBy: ", ") where part.hasSuffix("rel=\"\(relation)\"") {
            return part.split(separator: ">").first.map { String($0.dropFirst()) }
        }
        return nil
    }
}

/// Requests `url` from this machine with these fields, as curl does it. A start of curl costs more than most answers,
/// so only tests of what curl itself does start it.
func get(_ url: String, _ fields: String...) throws -> CurlAnswer { try get(url, fields) }

func get(_ url: String, _ fields: [String]) throws -> CurlAnswer {
    let place = url.drop { $0 != ":" }.dropFirst(3)
    let authority = place.prefix { $0 != "/" && $0 != "?" }, target = place.dropFirst(authority.count)
    let own = fields.contains { $0.hasPrefix("Host:") } ? [] : ["Host: \(authority)"]
    let lines = ["GET \(target.hasPrefix("/") ? "" : "/")\(target) HTTP/1.1"] + own + fields
    let connection = try Connection(port: authority.split(separator: ":").last.flatMap { Int($0) } ?? 80)
    defer { connection.close() }
    try connection.write(Array((lines + ["Accept: */*", "Connection: close", "", ""]).joined(separator: "\r\n").utf8))
    let exchange = try Exchange(readFrom: connection)
    let isChunked = exchange.headers["transfer-encoding"] == "chunked"
    return CurlAnswer(
        status: exchange.status, fields: exchange.headers,
        body: Data(isChunked ? try exchange.joinedChunks() : exchange.body))
}

extension Exchange {
    /// Returns the body without the frames of its chunks. Throws if the last one is missing.
    fileprivate func joinedChunks() throws -> [UInt8] {
        var rest = body[...], joined: [UInt8] = []
        while let end = rest.firstIndex(of: 0x0D),
            let count = Int(String(decoding: rest[..<end], as: UTF8.self), radix: 16)
        {
            if count == 0 { return joined }
            joined += rest.dropFirst(end + 2 - rest.startIndex).prefix(count)
            rest = rest.dropFirst(end + 2 - rest.startIndex + count + 2)
        }
        throw Failure("the body breaks off after \(joined.count) bytes")
    }
}

/// Runs curl with `arguments` and returns the response. The body is as received unless `--compressed` is given.
func curl(_ arguments: String...) throws -> CurlAnswer { try curl(arguments) }

func curl(_ arguments: [String]) throws -> CurlAnswer {
    let folder = FileManager.default.temporaryDirectory.appending(path: "rollcall-curl-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (head, body) = (folder.appending(path: "head").path, folder.appending(path: "body").path)
    let output = try run("curl", ["-sS", "--max-time", "60", "-D", head, "-o", body] + arguments)
    guard output.status == 0 else { throw ProgramFailure(description: "curl \(arguments): \(output.error)") }
    let lines = String(decoding: try Data(contentsOf: URL(filePath: head)), as: UTF8.self)
        .components(separatedBy: "\r\n").filter { !$0.isEmpty }
    // After `100 Continue`, another head follows; the last one counts.
    let start = lines.lastIndex { $0.hasPrefix("HTTP/") } ?? 0
    var fields: [String: String] = [:]
    for line in lines[(start + 1)...] {
        guard let colon = line.firstIndex(of: ":") else { continue }
        fields[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    }
    return CurlAnswer(
        status: Int(lines[start].split(separator: " ")[1]) ?? 0, fields: fields,
        body: (try? Data(contentsOf: URL(filePath: body))) ?? Data())
}

/// The path of the real `rollcall`.
func binary() throws -> String { try RollcallProcess.executable().path }

struct ProgramFailure: Error, CustomStringConvertible {
    var description: String
}

/// Runs a program until it ends, with `input` as its standard input.
func run(
    _ name: String, _ arguments: [String], input: Data = Data(), environment: [String: String] = [:]
) throws -> Output {
    let executable = try name.hasPrefix("/") ? URL(filePath: name) : Program.find(name)
    let program = try Program(executable, arguments, environment: environment, input: input)
    let status = program.wait()
    return Output(status: status, output: program.output, error: program.errors)
}

/// Waits for at most a minute until a server shows what another process has changed.
func eventually(_ isShown: () throws -> Bool) throws { try eventually("the server shows the change", isShown) }
