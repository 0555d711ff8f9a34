import Base

/// Why a workbook cannot be read.
enum WorkbookError: Error {
    /// A part of the file contradicts the format.
    case damaged(part: String, String)
    case refused(String)
    /// It is a file of another kind.
    case kind(FileKind)

    /// Throws that a part is damaged unless it is as the format says.
    static func require(_ holds: Bool, of part: String, _ damage: @autoclosure () -> String) throws {
        if !holds { throw damaged(part: part, damage()) }
    }

    /// Returns the error for the publisher, about the workbook called `name`.
    func error(_ name: String) -> RollcallError {
        switch self {
        case .damaged(let part, let reason): RollcallError("\(name) is damaged: \(part): \(reason)")
        case .refused(let reason): RollcallError("cannot import \(name): \(reason)")
        case .kind(let kind): RollcallError(kind.advice(name))
        }
    }
}

/// The limits on workbooks: those of Excel, and what keeps a small file from taking all memory or hours.
enum WorkbookLimits {
    /// 256 MiB: five times the workbook of a million people with ten columns.
    static let fileBytes: Int64 = 256 << 20
    static let partBytes: Int64 = 1 << 30
    /// The limit for all parts together.
    static let readBytes: Int64 = 2 << 30
    /// All parts together have at most this many times the bytes of the file. The lists of people that were measured
    /// have 4 to 30 times; deflate can pack a thousand.
    static let unpackedRatio: Int64 = 100
    /// The number of bytes that even the smallest file may have.
    static let leastReadBytes: Int64 = 32 << 20
    /// The size of what expat must keep in one piece, such as a comment or the attributes of an element.
    static let tokenBytes: Int64 = 1 << 20
    static let parts = 10_000
    /// The limits of Excel.
    static let rows = 1_048_576
    static let columns = 16_384
    static let links = 65_530
    /// 64 KiB: Excel has 32,767 characters.
    static let cellBytes = 64 << 10
    static let sharedStringBytes = 256 << 20
    /// 256 MiB: rows that are in no order, which are kept until all are read.
    static let unsortedBytes = 256 << 20
    /// Elements within elements.
    static let depth = 256
    /// The limit for repetitions of a cell or a row with text: more is a slip, such as a fill down to the last row.
    static let repeats = 1_000
    /// The limit for the cells of a sheet that have the text of another cell: repeated and merged ones.
    static let copies = 1 << 24

    static func require(file bytes: Int64) throws { try require(bytes <= fileBytes, "it is larger than 256 MiB") }

    static func require(token bytes: Int64, in part: String) throws {
        try require(bytes <= tokenBytes, "\(part) has a tag or a comment of more than 1 MiB")
    }

    /// Throws an error, with a `reason` that the publisher sees, unless a limit holds.
    static func require(_ holds: Bool, _ reason: @autoclosure () -> String) throws {
        if !holds { throw WorkbookError.refused(reason()) }
    }
}
