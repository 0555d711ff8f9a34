import ArgumentParser
import Base
import Foundation
import Site

struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Write people as a table, for a README or another document.",
        discussion: """
            rollcall list --into README.md

            Writes the first people of a directory in its order: a table in Markdown, or of faces in HTML, or lines of \
            text. Names link to the people's pages at the source. --into puts the table between the lines \
            <!-- rollcall:start --> and <!-- rollcall:end --> of a file.

            Exit status: 0 the table was written, or is there already; 1 it failed, or --into would put in nobody.
            """)

    @Option(
        help: """
            The format: md, a table of name, row fields and figure; html, a table of faces; text, a line for each \
            person, with tabs.
            """)
    var format: Format?

    @Option(
        value: "file",
        help: "The file to put the table into, between its two marks; by default standard output.",
        completion: .file())
    var into: String?

    @OptionGroup var faces: FaceOptions
    @OptionGroup(title: "People") var people: PeopleOptions
    @OptionGroup var quietness: QuietOption

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case md, html, text
    }

    func run() throws {
        // A file without marks is found before the database is read.
        let insert = try into.map(Self.insertion)
        let table = try people.withSite { try $0.table($1, max: people.max, showsBots: people.bots) }
        try expect(
            into == nil || table.count > 0, "nobody is found: \(into?.printable ?? "the file") stays as it is")
        let text =
            switch format ?? .md {
            case .md: table.markdown
            case .html: table.html(columns: faces.columns ?? 7, size: faces.size)
            case .text: table.text
            }
        try ExportFile.replace(into ?? "-", by: insert?(text) ?? Array(text.utf8))
    }

    /// The marks of a document, between which the command writes.
    private static let start = "<!-- rollcall:start -->", end = "<!-- rollcall:end -->"

    /// Reads the document at `path`, and returns a function that makes it with a text between the marks, each on a line
    /// of its own. Throws if it has no marks.
    private static func insertion(_ path: String) throws -> (_ text: String) -> [UInt8] {
        let content = try contents(of: path, for: "--into")
        guard let start = content.firstRange(of: Data(start.utf8)),
            let end = content[start.upperBound...].firstRange(of: Data(end.utf8))
        else {
            throw ValidationError(
                "\(path.printable): expected the lines \(Self.start) and \(Self.end), in this order; found no such two")
        }
        let lineEnd = content[start.upperBound...].starts(with: "\r\n".utf8) ? "\r\n" : "\n"
        return { text in
            let inserted = lineEnd + text.replacing("\n", with: lineEnd)
            return Array(content[..<start.upperBound]) + Array(inserted.utf8) + Array(content[end.lowerBound...])
        }
    }
}
