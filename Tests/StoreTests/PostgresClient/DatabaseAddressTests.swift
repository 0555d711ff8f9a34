import StoreEngine
import TestSupport
import Testing

@testable import StorePostgres

@Suite("Addresses of databases")
struct DatabaseAddressTests {
    @Test(arguments: [
        ("postgres://db", true), ("postgresql://db/x", true), ("people.sqlite", false), ("postgres", false),
        ("/tmp/postgres://db", false),
    ])
    func urlsAreToldFromPaths(_ text: String, _ isAddress: Bool) {
        #expect(DatabaseAddress.isAddress(text) == isAddress)
    }

    @Test func severalHostsHavePortsOfTheirOwn() throws {
        let address = try DatabaseAddress("postgres://app@db1:5433,db2,[::1]:5434/people")
        #expect(
            address.hosts == [
                .init(name: "db1", address: "", port: "5433"), .init(name: "db2", address: "", port: ""),
                .init(name: "::1", address: "", port: "5434"),
            ])
        #expect(address.description == "postgres://app@db1:5433,db2,[::1]:5434/people")
    }

    @Test func theSchemaIsTakenOutOfTheParameters() throws {
        let address = try DatabaseAddress("postgres://db/people?sslmode=require&schema=team&connect_timeout=4")
        #expect(address.schema == "team")
        let parameters = address.parameters(for: address.hosts)
        #expect(parameters["sslmode"] == "require")
        #expect(parameters["connect_timeout"] == "4")
        #expect(parameters["schema"] == nil)
        #expect(try DatabaseAddress("postgres://db/people").schema == "rollcall")
        #expect(try DatabaseAddress("postgres://db/people?schema=team").parameters(for: [])["dbname"] == "people")
    }

    @Test(arguments: ["Team", "pg_team", "", "a-b", "1a", "a%22b", String(repeating: "a", count: 64)])
    func aSchemaIsAPlainName(_ schema: String) {
        #expect(throws: StoreError.self) { try DatabaseAddress("postgres://db/people?schema=\(schema)") }
    }

    @Test(arguments: [
        "postgres://db/people?shema=team", "postgres://app:secret@db/people?sslmode=require&shema=team",
        "postgres:///people?shema=team&user=app&password=secret",
    ])
    func anUnknownParameterIsNamed(_ text: String) {
        let error = failure { _ = try DatabaseAddress(text) }
        let said = "has the parameter shema, which neither Rollcall nor libpq knows"
        #expect(error.says(.foreign, said, "connect_timeout") && error?.description.contains("secret") == false)
    }

    /// The rest of a password that has an ampersand looks like a parameter.
    @Test func aPasswordIsNotTakenForAParameter() {
        let said = message { _ = try DatabaseAddress("postgres://db/people?user=app&password=top&secret=1") }
        #expect(said != "" && !said.contains("secret"))
    }

    /// If several were accepted, their order would decide which tables are read and written.
    @Test(arguments: ["schema=team&schema=staff", "schema=team&sslmode=require&schema=team"])
    func aSchemaIsNamedOnce(_ parameters: String) {
        #expect(throws: StoreError(.foreign, "the database address names 2 schemas; name one")) {
            try DatabaseAddress("postgres://db/people?\(parameters)")
        }
    }

    @Test(arguments: [
        "postgres://app:top%3Fsecret@db/people", "postgres://app:top?secret@db/people?schema=team",
        "postgres://db/people?password=top?secret&user=app",
    ])
    func aPasswordIsNoticedAndNotShown(_ text: String) throws {
        let address = try DatabaseAddress(text)
        #expect(address.hasPassword)
        #expect(!address.description.contains("secret"))
        #expect(address.parameters(for: address.hosts)["password"] == "top?secret")
    }

    @Test func anAddressWithoutAPasswordHasNone() throws {
        #expect(try !DatabaseAddress("postgres://app@db/people").hasPassword)
    }

    @Test(arguments: [
        ("postgres:///people", false), ("postgres://localhost/people", false), ("postgres://127.0.0.1/people", false),
        ("postgres://[::1]/people", false), ("postgres:///people?host=/run/postgresql", false),
        ("postgres://db/people", true), ("postgres://localhost,db/people", true),
        ("postgres://db/people?sslmode=require", true), ("postgres://db/people?sslmode=verify-full", false),
    ])
    func onlyVerifiedOrLocalConnectionsAreProtected(_ text: String, _ isUnprotected: Bool) throws {
        #expect(try DatabaseAddress(text).isUnprotected == isUnprotected)
    }
}
