import Bytes
import Directories
import Testing

@Suite("Batches of users")
struct UserBatchTests {
    private let ada = User(
        id: 7, login: "Ada", name: "Ada Lovelace", avatarURL: "https://example.com/a",
        htmlURL: "https://example.com/ada",
        type: "Bot", reputation: -3, more: #"{"city":"London"}"#)
    private let kim = User(id: 3, login: "김")

    @Test func usersAreReturnedUnchanged() {
        let batch = UserBatch([ada, kim])
        #expect(batch.records.indices.map(batch.user) == [ada, kim])
        batch.removeAll()
        #expect(batch.isEmpty)
        batch.append(kim)
        #expect(batch.records.indices.map(batch.user) == [kim])
    }

    @Test func comparedTextsAreFolded() {
        let batch = UserBatch([ada, kim])
        let text = { (slice: ByteSlice) in String(decoding: batch.buffer.bytes[slice], as: UTF8.self) }
        #expect(batch.records.map { text($0.text) } == ["ada\nada lovelace", "김\n"])
        #expect(batch.records.map { text($0.loginKey) } == ["ada", "김"])
        let keys = CollationKeys(language: "und")
        let names = batch.records.map { record -> [UInt8] in
            guard case .text(let key) = batch.buffer.bytes[record.keys].orderKey(at: OrderKeys.namePosition) else {
                return []
            }
            return Array(key)
        }
        #expect(names == ["Ada Lovelace", "김"].map(keys.key), "without a name, the login stands for it")
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
        // 40,000 bytes of its own text and as many of folded text.
        #expect(batch.records.count == UserBatch.maxBytes / 40_000 + 1)
    }
}
