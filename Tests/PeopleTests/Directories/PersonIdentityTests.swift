import Base
import People
import Testing

@Suite("Texts that identify people")
struct PersonIdentityTests {
    private func identity(_ kind: IdentityKind, _ values: String...) -> [UInt8] {
        let buffer = ByteBuffer()
        let bytes = values.map { Array($0.utf8) }
        let pointers = bytes.map { bytes in
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
            copy.copyBytes(from: bytes)
            return UnsafeRawBufferPointer(copy)
        }
        defer { for pointer in pointers { pointer.deallocate() } }
        let slice = buffer.append(identityOf: kind, pointers)
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
