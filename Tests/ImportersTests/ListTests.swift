import Foundation
import People
import TestSupport
import Testing

@testable import Importers

@Suite("Lists of people as systems and offices write them")
struct ListTests {
    /// Lists of which the program does not yet find all that it must. One that it understands is taken out here.
    private static let notUnderstood: Set = ["clubdesk-mitglieder.csv", "da-medarbejdere.csv"]

    @Test(arguments: ExpectedList.all) func aPublisherFindsInTheDirectoryWhatIsInTheList(_ list: ExpectedList) throws {
        let missed = list.missed(by: seen(of: list))
        withKnownIssue(isIntermittent: true) {
            #expect(missed == [])
        } when: {
            Self.notUnderstood.contains(list.file)
        }
    }

    @Test func thereAreListsOfManySystems() { #expect(ExpectedList.all.count >= 60) }

    /// Returns what readers see after an import without options.
    private func seen(of list: ExpectedList) -> ExpectedList.Seen {
        let writer = MemoryWriter()
        let imported = imported(FileSource(path: list.path), into: writer), summary = imported.summary
        var seen = ExpectedList.Seen()
        guard let schema = summary.schema else { return seen }
        seen.report = (imported.notes + [imported.error] + summary.notes + schema.advice).joined(separator: "\n")
        seen.sources = Dictionary(
            schema.resolved.fields.map { ($0.key, $0.source.description) }, uniquingKeysWith: { first, _ in first })
        for user in writer.read {
            seen.names.append(user.name ?? user.login)
            seen.values.formUnion([user.name, user.avatarURL].compactMap { $0 })
            for (heading, value) in members(of: user)
            where schema.resolved.visibility(ofColumn: heading) == .public {
                seen.headings.insert(heading)
                seen.add(value)
            }
        }
        return seen
    }

    private func members(of user: User) -> [String: Any] {
        let object = try? JSONSerialization.jsonObject(with: Data((user.more ?? "{}").utf8))
        return object as? [String: Any] ?? [:]
    }
}
