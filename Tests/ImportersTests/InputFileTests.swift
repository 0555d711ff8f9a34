import Base
import Foundation
import TestSupport
import Testing

@testable import Importers

@Suite("Input that is read again")
final class InputFileTests: TestFolder {
    let people = (1...5000).map { "person \($0)\n" }.joined()

    /// Returns all that `file` gives from its beginning.
    private func read(_ file: InputFile) throws -> String {
        let source = try file.open { _, _ in }
        var bytes: [UInt8] = []
        while let chunk = try source.next() { bytes += chunk }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Makes a named pipe, and calls `body` with both of its ends. The second is closed when `body` returns.
    private func withPipe(keepsStreams: Bool, _ body: (InputFile, FileHandle) throws -> Void) throws -> InputFile {
        let path = path("pipe")
        #expect(mkfifo(path, 0o600) == 0)
        let file = try InputFile(path: path, keepsStreams: keepsStreams)
        let writer = try #require(FileHandle(forWritingAtPath: path))
        try body(file, writer)
        try writer.close()
        return file
    }

    @Test func aFileIsSetBackToWhereItBegan() throws {
        let descriptor = open(try write("people", "header\n\(people)"), O_RDONLY)
        // A shell has read the first line of its standard input.
        #expect(lseek(descriptor, 7, SEEK_SET) == 7)
        defer { close(descriptor) }
        let file = InputFile(lending: descriptor, name: "people")
        #expect(try read(file) == people && file.lostBeginning == nil)
        #expect(try read(file) == people)
    }

    @Test(arguments: [false, true]) func aKeptStreamIsReadFromItsBeginning(isPacked: Bool) throws {
        let bytes = Data(isPacked ? Gzip.compressed(Array(people.utf8)) : Array(people.utf8))
        let half = bytes.count / 2
        let file = try withPipe(keepsStreams: true) { file, writer in
            try writer.write(contentsOf: bytes.prefix(half))
            // The first attempt ends in the middle.
            #expect(try file.open { _, _ in }.next()?.isEmpty == false)
            try writer.write(contentsOf: bytes.dropFirst(half))
        }
        #expect(try read(file) == people && file.lostBeginning == nil)
        #expect(try read(file) == people)
    }

    @Test func aStreamThatIsNotKeptSaysSo() throws {
        let file = try withPipe(keepsStreams: false) { file, writer in
            try writer.write(contentsOf: Data("person 1\n".utf8))
            #expect(file.lostBeginning == nil)
        }
        #expect(try read(file) == "person 1\n")
        #expect(file.lostBeginning == "it can be read only once")
        #expect(throws: RollcallError.self) { try file.open { _, _ in } }
    }

    @Test func anImportEndsWhileNobodyWritesIntoItsPipe() {
        let path = path("pipe")
        #expect(mkfifo(path, 0o600) == 0)
        let configuration = ImportRun.Configuration()
        configuration.cancellation.cancel()
        let summary = ImportRun(writer: MemoryWriter(), configuration: configuration).run(FileSource(path: path))
        #expect("\(summary.end)" == "cancelled")
    }
}
