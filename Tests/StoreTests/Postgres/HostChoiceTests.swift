import StoreEngine
import Testing

@testable import StorePostgres

/// Some hosts of a database may be behind others.
@Suite("The choice of a PostgreSQL host")
struct HostChoiceTests {
    private let hosts: HostChoice

    init() throws { hosts = HostChoice(try DatabaseAddress("postgres://a,b/people")) }

    private func isShown(_ generations: [Int64: Int64], byAnotherStandby isOther: Bool = false) -> Bool {
        (try? hosts.check(all: generations, isAuthoritative: !isOther)) != nil
    }

    @Test func anOlderGenerationIsNotShown() throws {
        #expect(isShown([1: 5, 2: 7]))
        #expect(!isShown([1: 6, 2: 6]))
        try hosts.check(1, 5)
        #expect(throws: StoreError.behind) { try hosts.check(2, 6) }
        #expect(isShown([1: 6, 2: 7], byAnotherStandby: true))
        #expect(hosts.status.staleReads == 2)
    }

    @Test func aDirectoryThatWasShownIsNotMissing() {
        #expect(isShown([1: 5]))
        #expect(isShown([1: 5, 2: 7]))
        #expect(!isShown([1: 5], byAnotherStandby: true))
        #expect(isShown([1: 5, 2: 7], byAnotherStandby: true))
    }

    @Test func aReaderMissesNoDirectoryWhileAllHostsAreBehind() throws {
        #expect(isShown([1: 5]))
        try hosts.check(1, nil)
        _ = hosts.note(isBehind: true)
        #expect(throws: StoreError.behind) { try hosts.check(1, nil) }
        try hosts.check(2, nil)
    }

    @Test func aRemovedDirectoryDoesNotComeBack() {
        #expect(isShown([1: 5, 2: 7]))
        #expect(isShown([1: 5]))
        #expect(isShown([1: 5], byAnotherStandby: true))
        #expect(!isShown([1: 5, 2: 7], byAnotherStandby: true))
        #expect(throws: StoreError.behind) { try hosts.check(2, 7) }
    }

    @Test func anotherTimelineMayUseTheIDOfARemovedDirectory() {
        #expect(isShown([1: 5, 2: 7]))
        #expect(isShown([1: 5]))
        hosts.noteTimeline()
        #expect(isShown([1: 5, 2: 1_048_585]))
    }

    @Test func afterALossEverythingMayBeShown() {
        #expect(isShown([1: 5, 2: 7, 3: 9]))
        #expect(isShown([1: 5, 2: 7]))
        #expect(hosts.forgetFloors() == [1: 5, 2: 7])
        #expect(isShown([1: 4, 3: 9], byAnotherStandby: true))
    }
}
