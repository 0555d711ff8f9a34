import Testing

@testable import StorePostgres

@Suite("Parameters of statements")
struct NumberedParametersTests {
    @Test(arguments: [
        ("SELECT 1", "SELECT 1", 0),
        ("SELECT ? + ?", "SELECT $1 + $2", 2),
        ("SELECT ?2, ?1, ?", "SELECT $2, $1, $3", 3),
        ("SELECT ?12", "SELECT $12", 12),
        ("SELECT 'a?b', ?", "SELECT 'a?b', $1", 1),
        ("SELECT 'it''s ?', \"a?\", ?", "SELECT 'it''s ?', \"a?\", $1", 1),
        ("SELECT ? -- why?\n, ?", "SELECT $1 -- why?\n, $2", 2),
        ("SELECT 'ä?', ?", "SELECT 'ä?', $1", 1),
    ])
    func questionMarksBecomeNumbers(_ sql: String, _ numbered: String, _ count: Int) {
        let result = NumberedParameters(sql)
        #expect(result.sql == numbered)
        #expect(result.count == count)
    }
}
