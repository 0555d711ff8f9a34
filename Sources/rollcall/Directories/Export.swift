import ArgumentParser
import Base
import Foundation
import Importers
import People
import Publishing

struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write a directory to a file or to standard output.",
        discussion: """
            Writes all people in the order of the directory, with all of their public data; `rollcall import file` \
            restores the same directory from it, or takes over the edits that were made in it. An export may run while imports change the directory: people who are in it from \
            start to end appear exactly once.

            The name of the file chooses the format: .xlsx, .csv, .json, .ndjson or .jsonl. A file called .csv is for \
            spreadsheets: it begins with a byte order mark, and has semicolons if the last imported table had them, or in languages with a decimal comma; \
            --format csv writes plain CSV. An existing file of that name is replaced only when the new file is complete.

            Exit status: 0 everyone was written; 1 the export failed; 130 it was interrupted.
            """)

    @Argument(
        help: ArgumentHelp("The file to write; by default standard output, which is also -.", valueName: "file"),
        completion: .file())
    var file: String?

    @Option(
        help: """
            The format: ndjson, one line for each person; csv; json, one array; xlsx, a workbook. By default that of \
            the file's name, or else ndjson.
            """)
    var format: FileFormat?

    @OptionGroup var exported: DirectoryOption

    @Option(
        value: "source|rollcall",
        help: """
            The columns: source, a column of handles and then those of the imported file; rollcall, those of \
            Rollcall's own format. CSV of a directory that was filled from a file defaults to source.
            """)
    var layout: ExportLayout?

    @Flag(help: "Include private fields.")
    var withPrivate = false

    @Flag(
        help: """
            End with a line that holds the number of people, so that an import notices a truncated export (ndjson, \
            csv).
            """
    )
    var proof = false

    @OptionGroup var storage: DatabaseOption

    @OptionGroup var quietness: QuietOption

    func validate() throws {
        let format = try required(
            chosenFormat, "\(path.printable): expected .xlsx, .csv, .json or .ndjson, or --format")
        try expect(
            !proof || [.ndjson, .csv].contains(format),
            "--proof: expected ndjson or csv as --format, because others have no lines")
    }

    private var path: String { file ?? "-" }

    private var audience: Audience { withPrivate ? .publisher : .everyone }

    /// Nobody else may read a new file with private fields.
    private var mode: mode_t { withPrivate ? 0o600 : 0o666 }

    enum FileFormat: String, ExpressibleByArgument, CaseIterable {
        case ndjson, csv, json, xlsx

        /// The format of text; `nil` for a workbook.
        var text: ExportFormat? { ExportFormat(rawValue: rawValue) }
    }

    /// The format that the options or the file's name say; `nil` for a name with another ending.
    var chosenFormat: FileFormat? {
        if let format { return format }
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return .ndjson }
        let ending = name[name.index(after: dot)...].lowercased()
        return ending == "jsonl" ? .ndjson : FileFormat(rawValue: ending)
    }

    func run() throws {
        let format = chosenFormat ?? .ndjson
        let store = try openExistingStore(storage.database)
        let directory = try store.directory(named: exported.directory)
        let everyone = UserQuery(
            directory: directory.id, sort: directory.defaultSort, limit: DirectoryExport.pageLimit)
        let layout = try chosenLayout(of: directory, as: format)
        let reader = try store.makeReader(for: audience)
        guard let text = format.text else {
            return try writeWorkbook(of: everyone, directory, layout, in: store.instance, from: reader)
        }
        let separator = self.format == nil && path != "-" ? directory.directory.settings.spreadsheetSeparator : nil
        var export = DirectoryExport(
            of: everyone, as: text, layout, in: store.instance, provesItsEnd: proof, spreadsheetSeparator: separator)
        try ExportFile.write(to: path, mode: mode) { file in
            let buffer = ByteBuffer(capacity: 64 * 1024)
            let cancellation = ImportCancellation()
            // An incomplete file is removed. Standard output is left to its default handling of signals.
            let signals = file.isTemporary ? onTermination { _ in cancellation.cancel() } : []
            defer { for signal in signals { signal.cancel() } }
            while try export.appendMore(to: buffer, from: reader.page) {
                try file.write(buffer)
                if cancellation.isCancelled {
                    StandardStreams.write("interrupted; \(file.path.printable) was not written\n")
                    throw ExitCode(130)
                }
            }
        }
        report(export.count, in: directory, layout)
    }

    /// Writes a workbook into a temporary file, and from there to its place.
    private func writeWorkbook(
        of everyone: UserQuery, _ directory: StoredDirectory, _ layout: ExportLayout, in instance: String,
        from reader: any UserReader
    ) throws {
        let folder = try TemporaryFolder(named: "rollcall-export")
        defer { folder.remove() }
        let made = folder.path + "/people.xlsx"
        let book = try WorkbookExport(of: everyone, layout, in: instance, title: directory.title, path: made)
        while try book.appendPage(from: { try reader.page($0) }) {}
        try book.finish()
        try ExportFile.write(to: path, mode: mode) { target in
            let source = try FileHandle(forReadingFrom: URL(fileURLWithPath: made))
            defer { try? source.close() }
            let buffer = ByteBuffer(capacity: 1 << 16)
            while let bytes = try source.read(upToCount: 1 << 16), !bytes.isEmpty {
                buffer.append([UInt8](bytes))
                try target.write(buffer)
            }
        }
        report(book.people, in: directory, layout)
        if book.cutTexts > 0 {
            StandardStreams.note("\(counted(book.cutTexts, "text")) cut to 32,767 characters, the limit of Excel\n")
        }
    }

    private func report(_ count: Int, in directory: StoredDirectory, _ layout: ExportLayout) {
        if path != "-" {
            let people = counted(count, "person", "people")
            StandardStreams.note("\(directory.slug): \(people) written to \(path.printable)\n")
        }
        guard withPrivate, layout == .source else { return }
        let settings = directory.settings
        let columns = settings.shown(to: audience).columns
        let read = settings.split(settings.fields.flatMap(\.source.columns)).restricted
        let left = read.filter { !columns.contains($0) }
        if !left.isEmpty {
            StandardStreams.note(
                "without the private columns \(left.joined(separator: ", ")): --layout rollcall has all".printable
                    + "\n")
        }
        let hidden = settings.split(columns).restricted
        if !hidden.isEmpty {
            let names = hidden.joined(separator: ",")
            StandardStreams.note(
                "with private columns; an import into another directory needs: --keep \(names.shellWord)".printable
                    + "\n")
        }
    }

    /// Returns the layout of the columns: by default the publisher's own in tables, if they are known.
    private func chosenLayout(of directory: StoredDirectory, as format: FileFormat) throws -> ExportLayout {
        let isKnown = !directory.shown(to: audience).settings.columns.isEmpty
        try expect(
            layout != .source || isKnown,
            "--layout: the columns of \(directory.slug) are not known; import its file once more, or use rollcall")
        return layout ?? (isKnown && [.csv, .xlsx].contains(format) ? .source : .rollcall)
    }
}

extension ExportLayout: ExpressibleByArgument {}
