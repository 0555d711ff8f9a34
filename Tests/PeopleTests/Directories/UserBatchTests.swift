import Base
import People
import Publishing
import Testing

@Suite("Batches of users")
struct UserBatchTests {
    private let ada = User(
        id: 7, login: "Ada", name: "Ada Lovelace", avatarURL: "https://example.com/a", more: #"{"city":"London"}"#)
    private let kim = User(id: 3, login: "김")

    /// The texts in a slice of each record.
    private func texts(_ batch: UserBatch, _ slice: KeyPath<UserToWrite, ByteSlice>) -> [String] {
        batch.records.map { String(decoding: batch.buffer.bytes[$0[keyPath: slice]], as: UTF8.self) }
    }

    private func nameKeys(_ batch: UserBatch) -> [[UInt8]] {
        batch.records.map { record in
            guard case .text(let key) = batch.buffer.bytes[record.keys].orderKey(at: OrderKeys.namePosition) else {
                return []
            }
            return Array(key)
        }
    }

    @Test func usersAreReturnedUnchanged() {
        let batch = UserBatch([ada, kim])
        #expect(batch.records.indices.map(batch.user) == [ada, kim])
        batch.removeAll()
        #expect(batch.isEmpty)
        batch.append(kim)
        #expect(batch.records.indices.map(batch.user) == [kim])
    }

    /// With a column of readings by it, and else by the usual readings of the characters, which ICU knows: い こう さ でん.
    @Test(arguments: [(true, ["伊藤", "佐藤", "高橋", "田中"]), (false, ["伊藤", "高橋", "佐藤", "田中"])])
    func japaneseNamesAreInTheOrderOfTheirReadings(_ hasReadings: Bool, _ expected: [String]) {
        var settings = Settings()
        settings.language = "ja"
        settings.fields = [FieldSettings(key: "name", from: "氏名")]
        if hasReadings { settings.fields.append(FieldSettings(key: "reading", from: "フリガナ")) }
        let batch = UserBatch(settings: ResolvedSettings(DirectorySettings(inferred: settings)))
        let people = [("田中", "タナカ"), ("高橋", "タカハシ"), ("佐藤", "サトウ"), ("伊藤", "イトウ")]
        for (id, person) in people.enumerated() {
            let more = #"{"氏名":"\#(person.0)","フリガナ":"\#(person.1)"}"#
            batch.append(User(id: Int64(id + 1), login: "user\(id)", name: person.0, more: more))
        }
        let keys = nameKeys(batch)
        let order = people.indices.sorted { keys[$0].lexicographicallyPrecedes(keys[$1]) }
        #expect(order.map { people[$0].0 } == expected)
    }

    @Test func comparedTextsAreLoose() {
        let batch = UserBatch([ada, kim])
        #expect(texts(batch, \.text) == ["ada\nada lovelace", "김\n\n\u{1}\u{1100}"])
        #expect(texts(batch, \.loginKey) == ["ada", "김"])
        let keys = CollationKeys(language: "und")
        // Without a name, the login stands for it.
        #expect(nameKeys(batch) == ["Ada Lovelace", "김"].map { keys.key(of: $0) })
    }

    @Test func variantsFollowTheLinesAndTheFoldedNamesAreKeptWhereTheyDiffer() {
        let batch = UserBatch([
            User(id: 1, login: "anna", name: "Anna Müller"), User(id: 2, login: "Ødegård"),
            User(id: 3, login: "o'neill", name: "김 민수"), User(id: 4, login: "zoe", name: "Zoe Mueller"),
        ])
        #expect(
            texts(batch, \.text) == [
                "anna\nanna muller\n\u{1}anna mueller", "odegard\n\n\u{1}oedegaard",
                "oneill\n김 민수\n\u{1}\u{1100}\u{1106}\u{1109}", "zoe\nzoe mueller",
            ])
        #expect(texts(batch, \.exact) == ["anna\nanna müller", "ødegård\n", "o'neill\n김 민수", ""])
        #expect(texts(batch, \.foldedLogin) == ["anna", "ødegård", "o'neill", "zoe"])
        #expect(batch.records.map(\.hasVariants) == [true, true, true, false])
    }

    @Test func umlautsThatAreSpelledOutHaveVariantsInGerman() {
        var settings = DirectorySettings()
        settings.own.language = "de-AT"
        let batch = UserBatch(settings: ResolvedSettings(settings))
        let names = ["Zoe Mueller", "Jörg Bauer", "Quelle", "Maerz Goetz"]
        for name in names { batch.append(User(id: 1, login: "x", name: name)) }
        #expect(
            texts(batch, \.text) == [
                "x\nzoe mueller\n\u{1}zoe muller", "x\njorg bauer\n\u{1}joerg bauer", "x\nquelle",
                "x\nmaerz goetz\n\u{1}marz gotz",
            ])
    }

    @Test func sortingKeepsTheLastUserOfEachID() {
        var later = ada
        later.name = "Countess"
        let batch = UserBatch([ada, kim, later])
        batch.sort()
        #expect(batch.records.indices.map(batch.user) == [kim, later])
        #expect(batch.repeated == 1)
        batch.sort()
        #expect(batch.repeated == 1)
    }

    @Test func theSizeOfItsTextFillsABatch() {
        let batch = UserBatch()
        while !batch.isFull { batch.append(User(id: 1, login: String(repeating: "É", count: 10_000))) }
        // 20,000 bytes of its own text, as many of folded text and half as many of loose text.
        #expect(batch.records.count == UserBatch.maxBytes / 50_000 + 1)
    }
}
