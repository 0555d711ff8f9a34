import Base
import Testing

@testable import People
@testable import Publishing

@Suite("Values that tell who somebody is, whatever their column is called")
struct PersonalValueTests {
    @Test(arguments: [
        "$2y$10$abcdefghijklmnopqrstuv", "{SSHA}c2FsdGVkcGFzc3dvcmQ=", "pbkdf2_sha256$260000$c2FsdA$aGFzaA==",
        "5f4dcc3b5aa765d61d8327deb882cf99", "f99f3497e6cd451cb147966e", "eyJhbGciOi.eyJzdWIiOiIx.c2lnbmF0",
        "34cf8359-c264-4811-a68d-1a2eb2cdeabb", "kX9vQ2mP7rT4wY1zB8nC5dF3gH6j", "192.0.2.17", "2001:db8::1",
        "4111 1111 1111 1111", "RSSMRA85T10A562S", "12345678Z", "X1234567L", "900101-1234567", "11010519491231002X",
        "CN=Ann Lee,OU=Sales,DC=example,DC=org", "OU=IT;DC=rtc;DC=local",
    ])
    func codesAreKnown(_ text: String) { #expect(PersonalValue.isCode(text)) }

    @Test(arguments: [
        "Sales", "1234567", "2019-03-01", "12:30", "1.234.567", "Head of Software Engineering", "E-1001", "12345678A",
        "4111 1111 1111 1112", "https://example.org/users/anna", "München", "IMG_20260101_120000.jpg", "B 204", "1.2.3",
        "Betriebsverfassungsgesetz", "Software_Engineering_Department", "Sales, IT", "a=1, b=2",
    ])
    func othersAreNot(_ text: String) { #expect(!PersonalValue.isCode(text)) }

    @Test(arguments: [
        ("Ann Lee", true, true), ("김민수", true, true), ("O'Neill", true, true), ("jroe42", true, false),
        ("j.roe", true, false), ("jroe", true, false), ("JRoe", true, true), ("900417", false, false),
        ("boss@example.org", false, false), ("uid=jroe,dc=x", true, false), ("", false, false),
        ("DOM\\jroe", true, false),
    ])
    func namesAreToldFromAccounts(_ text: String, _ isPossible: Bool, _ isLikely: Bool) {
        #expect(text.withBytes(PersonName.isPossible) == isPossible && PersonName.isLikely(text) == isLikely)
    }
}
