import Testing

@testable import StorePostgres

@Suite("Statements that see collected rows")
struct CollectedRowsTests {
    @Test(arguments: [
        ("SELECT * FROM user1", true), ("DELETE FROM userText23 WHERE id = ?", true),
        ("DELETE FROM userNGram1", true), ("DELETE FROM userBlock1; DELETE FROM userBlockDirectory1", true),
        ("UPDATE userBlockDirectory1 SET count = ?", false), ("SELECT * FROM userHidden1", false),
        ("SELECT current_user", false),
    ])
    func rowsAreWrittenBeforeStatementsOfTheirTables(_ sql: String, _ touches: Bool) {
        #expect(PostgresStoreConnection.touchesCollected(sql) == touches)
    }
}
