import Bytes
import Directories
import Exports
import JSON

/// Decodes users from the records of GitHub, Stack Exchange, Rick and Morty, all-contributors, Rollcall's own export,
/// or any CSV file.
///
/// The result depends on the record alone. The decoder only reuses memory and caches the mappings of keys.
public struct RecordDecoder {
    private var keys: KnownKeys
    let names: ColumnNames
    /// Collects the records instead of decoding them, if it is set.
    private let survey: RecordSurvey?
    private var record: ImportRecord
    /// The number of records so far, including rejected ones.
    private var count: Int64 = 0

    public init(names: ColumnNames = ColumnNames()) { self.init(names: names, survey: nil) }

    /// Creates a decoder that looks for photos in a folder.
    init(names: ColumnNames, photos: PhotoFolder?) { self.init(names: names, survey: nil, photos: photos) }

    init(names: ColumnNames, survey: RecordSurvey?, photos: PhotoFolder? = nil) {
        self.names = names
        self.survey = survey
        keys = KnownKeys(names: names)
        record = ImportRecord(names: names, photos: photos)
    }

    /// Appends the user that the JSON object `text` describes.
    ///
    /// - Parameter uid: A text that identifies the user unless the settings name a key, such as the UID of a vCard.
    public mutating func append(
        json text: UnsafeRawBufferPointer, uid: String = "", to batch: UserBatch
    ) throws(RecordError) -> DecodedRecord {
        if let survey {
            survey.note(uid: uid)
            return try add(text, to: survey)
        }
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

    /// Appends the user that a row of a CSV file describes; `cells` are UTF-8.
    mutating func append(
        header: CSVHeader, cells: [UnsafeRawBufferPointer], to batch: UserBatch
    ) throws(RecordError) -> DecodedRecord {
        if let survey {
            survey.add(titles: header.titles, cells: header.isGuarded ? cells.map(\.withoutFormulaGuard) : cells)
            return DecodedRecord(generated: [])
        }
        record.removeAll()
        for (column, cell) in zip(header.columns, cells) {
            record.append(
                key: header.text.bytes[column.key], meaning: column.meaning,
                value: .cell(header.isGuarded ? cell.withoutFormulaGuard : cell))
        }
        return try appendRecord(to: batch)
    }

    /// Notes the header of a table, so that columns without values are known, too.
    func begin(_ header: CSVHeader) { survey?.add(header) }

    private func add(_ text: UnsafeRawBufferPointer, to survey: RecordSurvey) throws(RecordError) -> DecodedRecord {
        do { try survey.add(json: text) } catch { throw RecordError("\(error)") }
        return DecodedRecord(generated: [])
    }

    private mutating func appendRecord(to batch: UserBatch) throws(RecordError) -> DecodedRecord {
        count += 1
        let generated = try record.append(at: count, to: batch)
        return DecodedRecord(generated: generated, losses: record.losses, photo: record.photo)
    }
}
