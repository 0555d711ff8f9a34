import Foundation
import HTTPTypes
import Hummingbird

// Serves the files of a folder from memory, as Rollcall would. Usage: peer FOLDER PORT
let folder = URL(filePath: CommandLine.arguments[1])
let router = Router()
for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasSuffix(".gz") {
    let path = String(name.dropLast(3))
    let body = ByteBuffer(bytes: try Data(contentsOf: folder.appending(path: name)))
    var fields = HTTPFields()
    let lines = try String(contentsOf: folder.appending(path: path + ".fields"), encoding: .utf8).split(separator: "\n")
    for line in lines {
        let parts = line.split(separator: ":", maxSplits: 1)
        guard let name = HTTPField.Name(String(parts[0])) else { continue }
        fields.append(HTTPField(name: name, value: parts[1].trimmingCharacters(in: .whitespaces)))
    }
    fields[.contentType] = "text/html; charset=utf-8"
    fields[.contentEncoding] = "gzip"
    fields[.eTag] = "\"peer\""
    fields[.vary] = "Accept-Encoding"
    let response = Response(status: .ok, headers: fields, body: ResponseBody(byteBuffer: body))
    router.get("/\(path)") { _, _ in response }
}
let port = Int(CommandLine.arguments[2]) ?? 8080
let application = Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)))
try await application.runService()
