import Base
import CZip
import Glibc

/// The parts of a workbook, read one after the other. Limits count the unpacked bytes, not the sizes in headers.
final class ZipArchive {
    private let archive: OpaquePointer
    /// The limit for the bytes that come out of all parts.
    private let maxBytes: Int64
    /// Called with each piece that comes out of a part. Throws if the import is cancelled.
    private let tick: () throws -> Void
    private let chunk: UnsafeMutableRawBufferPointer
    /// The bytes that have come out of each part, and out of all.
    private var read: [String: Int64] = [:]
    private var allBytes: Int64 = 0

    /// Opens the archive in the file `descriptor`, which stays open.
    init(_ descriptor: Int32, tick: @escaping () throws -> Void) throws {
        self.tick = tick
        let size = Int64(SystemFile.status(of: descriptor)?.st_size ?? 0)
        try WorkbookLimits.require(file: size)
        maxBytes = max(WorkbookLimits.leastReadBytes, size * WorkbookLimits.unpackedRatio)
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else { throw WorkbookError.refused(SystemFile.reason) }
        var code: Int32 = 0
        guard let archive = zip_fdopen(copy, 0, &code) else {
            close(copy)
            throw WorkbookError.refused("it is no workbook, or only a part of one; save it again in the spreadsheet")
        }
        // From here on, an error frees both.
        (self.archive, chunk) = (archive, .allocate(byteCount: 1 << 16, alignment: 16))
        try WorkbookLimits.require(
            zip_get_num_entries(archive, 0) <= WorkbookLimits.parts, "it has more than 10,000 parts")
    }

    deinit {
        zip_discard(archive)
        chunk.deallocate()
    }

    /// The names of all parts.
    var parts: [String] {
        (0..<max(0, zip_get_num_entries(archive, 0))).map { index in
            zip_get_name(archive, zip_uint64_t(index), 0).map { String(cString: $0) } ?? ""
        }
    }

    /// The numbers of parts by their names. Some programs write these in another case, or with backslashes.
    private lazy var indexes = Dictionary(
        parts.enumerated().map { (Self.plain($1), zip_uint64_t($0)) }, uniquingKeysWith: { first, _ in first })

    private static func plain(_ name: String) -> String {
        let name = name.lowercased().replacing("\\", with: "/")
        return name.hasPrefix("/") ? String(name.dropFirst()) : name
    }

    private func index(of part: String) -> zip_uint64_t? { indexes[Self.plain(part)] }

    func has(_ part: String) -> Bool { index(of: part) != nil }

    /// Calls `body` with the bytes of a part, chunk by chunk; the last call has none.
    func forEachChunk(of part: String, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        guard let index = index(of: part) else { throw WorkbookError.damaged(part: part, "it is missing") }
        guard let file = zip_fopen_index(archive, index, 0) else {
            let code = zip_error_code_zip(zip_get_error(archive))
            let isProtected = [ZIP_ER_NOPASSWD, ZIP_ER_ENCRNOTSUPP].contains(code)
            let reason = String(cString: zip_strerror(archive))
            throw isProtected ? WorkbookError.kind(.protected) : WorkbookError.damaged(part: part, reason)
        }
        defer { zip_fclose(file) }
        var total: Int64 = 0
        var count: zip_int64_t
        repeat {
            count = zip_fread(file, chunk.baseAddress, zip_uint64_t(chunk.count))
            try WorkbookError.require(count >= 0, of: part, String(cString: zip_file_strerror(file)))
            total += count
            try WorkbookLimits.require(total <= WorkbookLimits.partBytes, "\(part) is larger than 1 GiB")
            try note(total, of: part)
            try tick()
            try body(UnsafeRawBufferPointer(rebasing: chunk[..<Int(count)]))
        } while count > 0
    }

    /// A part that is read again counts once.
    private func note(_ bytes: Int64, of part: String) throws {
        let known = read[part] ?? 0
        read[part] = max(known, bytes)
        allBytes += max(0, bytes - known)
        try WorkbookLimits.require(allBytes <= WorkbookLimits.readBytes, "its parts are larger than 2 GiB together")
        try WorkbookLimits.require(allBytes <= maxBytes, "its parts are more than 100 times as large as the file")
    }

    /// Reads a part of XML.
    func parse(_ part: String, by handler: some XMLHandler) throws {
        let reader = XMLReader(part: part, handler: handler)
        try forEachChunk(of: part) { try reader.read($0) }
    }

    /// Does the same if there is such a part. Returns the handler.
    func parse<Handler: XMLHandler>(ifThere part: String?, by handler: Handler) throws -> Handler {
        if let part, has(part) { try parse(part, by: handler) }
        return handler
    }
}
