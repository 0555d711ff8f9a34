import Testing

@testable import StorePostgres

@Suite("Parameters of statements")
struct NumberedParametersTests {
    @Test(arguments: [
        ("SELECT 1", "SELECT 1", 0),
        ("SELECT ? + ?", "SELECT $1 + $2", 2),
        ("SELECT ?2, ?1, ?", "SELECT $2, $1, $3", 3),
        ("SELECT ?12", "SELECT $12", 12),
        ("?3 = 'ä' AND 1 = ?1", "$3 = 'ä' AND 1 = $1", 3),
    ])
    func questionMarksBecomeNumbers(_ sql: String, _ numbered: String, _ count: Int) {
        let result = numberingParameters(of: sql)
        #expect(result.sql == numbered)
        #expect(result.count == count)
    }
}
