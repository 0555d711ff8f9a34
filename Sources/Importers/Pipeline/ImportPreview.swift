import Base
import People
import Publishing

/// The first people of a source, as a dry run shows them.
public struct ImportPreview: Sendable {
    public static let maxPeople = 5

    public struct Person: Sendable {
        public var place: Int64
        public var name: String
        /// The values of the fields in rows.
        public var facts: [String]
        /// The location, or else the country or the organization, if rows do not show it.
        public var location: String
        public var handle: String
        public var hasPhoto: Bool
    }

    public var people: [Person] = []

    public init() {}

    /// Adds the first users of `batch`, in the order of the file.
    mutating func add(_ batch: ImportBatch, _ settings: ShownSettings) {
        guard people.count < Self.maxPeople else { return }
        let reader = FieldReader(settings)
        let bytes = batch.users.buffer.bytes
        let order = batch.users.records.filter(\.isShown).sorted { $0.place < $1.place }
        for user in order.prefix(Self.maxPeople - people.count) {
            reader.read(user.columns.bytes(in: bytes))
            let text = { (slice: ByteSlice) in String(decoding: bytes[slice], as: UTF8.self) }
            let name = text(user.name.isEmpty ? user.login : user.name)
            let isGenerated = user.generated.contains(.login) || user.login.isEmpty
            people.append(
                Person(
                    place: user.place > 0 ? user.place : Int64(people.count + 1), name: name,
                    facts: settings.rows.map { Self.text(reader, $0) }.filter { !$0.isEmpty },
                    location: Self.location(reader),
                    handle: isGenerated ? handle(of: name, settings) : text(user.login),
                    hasPhoto: !user.avatarURL.isEmpty || batch.photoPaths[user.place] != nil))
        }
    }

    private static func location(_ reader: FieldReader) -> String {
        [FieldRole.location, .country, .organization].lazy.compactMap(reader.settings.fields.index)
            .filter { !reader.settings.rows.contains($0) }.map { text(reader, $0) }.first { !$0.isEmpty } ?? ""
    }

    private static func text(_ reader: FieldReader, _ index: Int) -> String {
        String(decoding: reader.text(of: index), as: UTF8.self)
    }

    /// Returns the handle that a person called `name` gets in a new directory.
    private func handle(of name: String, _ settings: ShownSettings) -> String {
        let slug = Handle.slug(name, language: settings.language)
        let base = slug.isEmpty ? "user" : slug
        let handles = [base] + (0..<people.count).map { "\(base)-\($0 + 2)" }
        return handles.first { handle in !people.contains { $0.handle == handle } } ?? base
    }
}
