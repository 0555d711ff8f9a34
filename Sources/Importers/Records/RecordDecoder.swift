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
    private var record = ImportRecord()
    private var hasIgnoredLink = false

    public init(names: ColumnNames = ColumnNames()) {
        keys = KnownKeys(names: names)
    }

    /// Notes each name in `--map` that no JSON object had. Every row of a CSV file must have it; a JSON object need
    /// not.
    func noteMissing(to sink: some RecordSink) {
        for name in keys.missing { sink.note("no record has a \"\(NormalizedText.cleaned(name))\", which --map names") }
    }

    /// Appends the user that the JSON object `text` describes.
    public mutating func append(
        json text: UnsafeRawBufferPointer, to batch: UserBatch
    ) throws(RecordError) -> DecodedRecord {
        record.removeAll()
        keys.startRecord()
        do {
            try JSON.forEachMember(of: text) { key, value in
                guard record.members.count < RecordLimits.members else {
                    throw RecordError("expected at most 10,000 members, found more")
                }
                let meaning = keys.meaning(of: key.raw) { key.text }
                record.append(key: key.raw, meaning: meaning, value: .json(value))
            }
        } catch { throw RecordError("\(error)") }
        return try appendRecord(to: batch)
    }

    /// Appends the user that a row of a CSV file describes; `cells` are UTF-8.
    mutating func append(
        header: CSVHeader, cells: [UnsafeRawBufferPointer], to batch: UserBatch
    ) throws(RecordError) -> DecodedRecord {
        record.removeAll()
        for (column, cell) in zip(header.columns, cells) {
            record.append(
                key: header.text.bytes[column.key], meaning: column.meaning,
                value: .cell(header.isOwnExport ? cell.withoutFormulaGuard : cell))
        }
        return try appendRecord(to: batch)
    }

    private mutating func appendRecord(to batch: UserBatch) throws(RecordError) -> DecodedRecord {
        var decoded = DecodedRecord(isIDMade: try record.append(to: batch))
        decoded.ignoredLinks = record.ignoredLinks.count
        if !hasIgnoredLink, let member = record.ignoredLinks.first.flatMap(record.member) {
            hasIgnoredLink = true
            decoded.ignoredLink = "\(member.name) \(member.value.shown)"
        }
        return decoded
    }
}
