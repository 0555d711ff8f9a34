import Base
import People
import Testing

@Suite("Texts that identify people")
struct PersonIdentityTests {
    private func identity(_ kind: IdentityKind, _ values: String...) -> [UInt8] {
        let (texts, buffer) = (ByteBuffer(), ByteBuffer())
        let slices = values.map { texts.keep($0) }
        let slice = buffer.append(identityOf: kind, slices.map { texts.bytes[$0] })
        return Array(buffer.bytes[slice])
    }

    @Test func caseAndSpacesAroundValuesMakeNoDifference() {
        #expect(identity(.key, " Anna@Example.ORG\u{A0}") == identity(.key, "anna@example.org"))
        #expect(identity(.key, "\u{3000}한\t") == identity(.key, "\u{1112}\u{1161}\u{11ab}"))
        #expect(identity(.key, "a b") != identity(.key, "ab"))
    }

    @Test func valuesAndKindsAreKeptApart() {
        #expect(identity(.key, "a", "bc") != identity(.key, "ab", "c"))
        #expect(identity(.key, "a", "") != identity(.key, "", "a"))
        #expect(identity(.key, "a") != identity(.name, "a"))
    }
}
