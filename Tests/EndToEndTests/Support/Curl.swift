import Foundation
import TestSupport

/// A response as curl received it.
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

/// Runs curl with `arguments` and returns the response. The body is as received unless `--compressed` is given.
func curl(_ arguments: String...) throws -> CurlAnswer {
    try curl(arguments)
}

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

/// The result of a program that has ended.
struct Output {
    var status: Int32
    var output: String
    var error: String
}

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
