import Base
import JSON
import People

/// Decodes users from the records of GitHub, Stack Exchange, Rick and Morty, all-contributors, Rollcall's own export,
/// or any CSV file.
///
/// The result depends on the record alone. The decoder only reuses memory and caches the mappings of keys.
public struct RecordDecoder {
    private var keys: KnownKeys
    private var record: ImportRecord
    /// The number of records so far, including rejected ones.
    private var count: Int64 = 0

    public init(names: ColumnNames = ColumnNames()) { self.init(names: names, photos: nil) }

    /// Creates a decoder that looks for photos in a folder.
    init(names: ColumnNames, photos: PhotoFolder?) {
        keys = KnownKeys(names: names)
        record = ImportRecord(names: names, photos: photos)
    }

    /// Appends the user that `record` describes.
    mutating func append(_ record: RawRecord, to batch: UserBatch) throws(RecordError) -> DecodedRecord {
        switch record {
        case .row(let cells, let header, _): return try append(header: header, cells: cells, to: batch)
        case .object(let text, let uid, let loss):
            var decoded = try append(json: text, uid: uid, to: batch)
            if let loss { decoded.losses.append(loss) }
            return decoded
        }
    }

    /// Appends the user that the JSON object `text` describes.
    ///
    /// - Parameter uid: A text that identifies the user unless the settings name a key, such as the UID of a vCard.
    public mutating func append(
        json text: UnsafeRawBufferPointer, uid: String = "", to batch: UserBatch
    ) throws(RecordError) -> DecodedRecord {
        record.removeAll()
        record.uid = uid
        keys.startRecord()
        // Counted as they come, because equal names become one member.
        var count = 0
        do {
            try JSON.forEachMember(of: text) { key, value in
                count += 1
                if count > RecordLimits.members { throw RecordError("expected at most 10,000 members, found more") }
                let known = keys.meaning(of: key.raw) { key.text }
                record.append(key: key.raw, known, value: .json(value))
            }
        } catch { throw RecordError("\(error)") }
        return try appendRecord(to: batch)
    }

    private mutating func append(
        header: CSVHeader, cells: [UnsafeRawBufferPointer], to batch: UserBatch
    ) throws(RecordError) -> DecodedRecord {
        record.removeAll()
        for (column, cell) in zip(header.columns, cells) {
            record.append(
                key: header.text.bytes[column.key], meaning: column.meaning,
                value: .cell(header.isGuarded ? cell.withoutFormulaGuard : cell))
        }
        return try appendRecord(to: batch)
    }

    private mutating func appendRecord(to batch: UserBatch) throws(RecordError) -> DecodedRecord {
        count += 1
        let generated = try record.append(at: count, to: batch)
        return DecodedRecord(generated: generated, losses: record.losses, photo: record.photo)
    }
}

/// Facts about a record that was decoded.
public struct DecodedRecord {
    /// The names that the record lacks.
    public var generated: GeneratedNames
    /// The losses of the record.
    var losses: [ImportLosses.Loss] = []
    /// The person's photo in the folder of photos.
    var photo: [String]?

    /// Whether the id was generated because the record has none.
    public var isIDMade: Bool { generated.contains(.id) }
}
