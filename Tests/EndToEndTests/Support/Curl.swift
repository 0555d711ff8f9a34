import Foundation
import TestSupport

/// Requests `url` from this machine with these fields, as curl does it. A start of curl costs more than most answers,
/// so only tests of what curl itself does start it.
func get(_ url: String, _ fields: String...) throws -> Exchange { try get(url, fields) }

func get(_ url: String, _ fields: [String]) throws -> Exchange {
    let place = url.drop { $0 != ":" }.dropFirst(3)
    let authority = place.prefix { $0 != "/" && $0 != "?" }, target = place.dropFirst(authority.count)
    let own = fields.contains { $0.hasPrefix("Host:") } ? [] : ["Host: \(authority)"]
    let lines = ["GET \(target.hasPrefix("/") ? "" : "/")\(target) HTTP/1.1"] + own + fields
    let connection = try Connection(port: authority.split(separator: ":").last.flatMap { Int($0) } ?? 80)
    defer { connection.close() }
    try connection.write(Array((lines + ["Accept: */*", "Connection: close", "", ""]).joined(separator: "\r\n").utf8))
    return try Exchange(readFrom: connection)
}

/// Runs curl with `arguments` and returns the response. The body is as received unless `--compressed` is given.
func curl(_ arguments: String...) throws -> Exchange { try curl(arguments) }

func curl(_ arguments: [String]) throws -> Exchange {
    let folder = try TestFolder()
    let (head, body) = (folder.path("head"), folder.path("body"))
    let output = try run("curl", ["-sS", "--max-time", "60", "-D", head, "-o", body] + arguments)
    guard output.status == 0 else { throw Failure("curl \(arguments): \(output.error)") }
    // After `100 Continue`, another head follows; the last one counts.
    let heads = try folder.text("head").components(separatedBy: "\r\n\r\n")
    let received = FileManager.default.contents(atPath: body) ?? Data()
    return try Exchange(head: Array((heads.last { !$0.isEmpty } ?? "").utf8), body: Array(received))
}

/// The path of the real `rollcall`.
func binary() throws -> String { try RollcallProcess.executable().path }

/// Runs a program until it ends, with `input` as its standard input.
func run(
    _ name: String, _ arguments: [String], input: Data = Data(), environment: [String: String] = [:]
) throws -> Output {
    let executable = try name.hasPrefix("/") ? URL(filePath: name) : Program.find(name)
    return try Program(executable, arguments, environment: environment, input: input).result()
}

/// Waits for at most a minute until a server shows what another process has changed.
func eventually(_ isShown: () throws -> Bool) throws { try eventually("the server shows the change", isShown) }
