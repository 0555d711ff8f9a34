import TestSupport
import Testing

@testable import rollcall

/// What `rollcall forget` finds and says. The end-to-end tests have what servers and disks do about it.
@Suite("Forgetting on the command line")
final class ForgettingTests: Desk {
    private let team = "id,login,name\n7,ada,Ada Lovelace\n9,bob,Bob\n11,김,Kim\n"

    /// Runs commands one after the other. Each has what it prints on standard output, or, with status 1, what its error
    /// contains.
    private func expect(_ steps: [(line: String, said: String)]) {
        for (line, said) in steps {
            let output = rollcall(line: line)
            let isSaid = output.status == 0 ? output.output == said + "\n" : output.error.contains(said)
            #expect(isSaid && (output.status == 0) == output.error.isEmpty, "\(line): \(output)")
        }
    }

    /// The command said "forgotten", and the name stayed with everybody who worked for the person.
    @Test func theCommandSaysWhereTheNameStillStands() throws {
        let people = (1...21).map {
            "\($0 + 10),u\($0),Person \($0),\"Lovelace, Ada\",\($0 == 3 ? "like Ada Lovelace" : "")\n"
        }
        try importing("id,login,name,Manager,Motto\n7,ada,Ada Lovelace,,\n" + people.joined())
        expect([
            (
                "forget ada",
                """
                ada: forgotten in team (1)
                cleared in team, where Ada Lovelace stood: Manager of 21 people
                Ada Lovelace still stands in team: Motto of 1 person
                clear these fields in the source: forget --also-in-texts clears them here until the next import
                """
            )
        ])
    }

    /// Somebody else has the handle in another directory, where Rollcall has not made it.
    @Test func aNameIsThatOfItsDirectory() throws {
        try importing("Name,Team\nAda Byron,A\nBob Ek,B\n", into: "staff")
        try importing("id,login,name\n7,ada-byron,Adam Ohm\n9,bob,Bob\n")
        let removed = rollcall("pictures", "remove", "Ada Byron")
        #expect(removed.output == "Ada Byron (ada-byron): has no picture any more in staff\n", "\(removed)")
        let undone = rollcall("pictures", "remove", "Ada Byron", "--undo")
        #expect(undone.output == "Ada Byron (ada-byron): may have a picture again in staff\n", "\(undone)")
        #expect(rollcall("pictures", "remove", "Bob Ek", "--undo").error.contains("the picture was not removed"))
        let forgotten = rollcall("forget", "Ada Byron")
        #expect(forgotten.output == "Ada Byron (ada-byron): forgotten in staff (1)\n", "\(forgotten)")
    }

    @Test func aPersonIsForgottenByTheKey() throws {
        let list = "email,name\nada@example.org,Ada\nbob@example.org,Bob\n"
        try importing(list, into: "staff", "--key", "email")
        expect([
            // A handle that Rollcall made.
            ("forget bob", "add --directory staff"),
            ("forget Ada@example.org", "Ada@example.org: forgotten in staff (1)"),
            ("forget ada@example.org", "ada@example.org: is already forgotten in all directories"),
        ])
        #expect(try importing(list, into: "staff").counts.skipped == 1)
        expect([
            ("forget --undo ada@example.org", "ada@example.org: may be imported again in all directories"),
            ("forget eve@example.org", "eve@example.org: not found in any directory"),
        ])
        #expect(try importing(list, into: "staff").counts.added == 1)
    }

    @Test func aListOfPeopleIsForgotten() throws {
        try importing(team)
        let list = try write("list.txt", "ADA\r\n\n9\nnobody\n")
        let first = rollcall("forget", "--from", list)
        #expect(first.status == 1 && first.output == "ADA: forgotten in team (1)\n9: forgotten in team (1)\n")
        #expect(first.error == "rollcall: nobody: not found in any directory\n")
        // Nobody else is taken for those who are gone.
        let second = rollcall("forget", "--from", list).output
        #expect(second == "ADA: is already forgotten in all directories\n9: is already forgotten in team\n")
        let undone = rollcall("forget", "--undo", "--from", list).output
        #expect(undone == "ADA: may be imported again in all directories\n9: may be imported again in team\n")
        #expect(try rows().users.map(\.login) == ["김"])
        expect([("forget --from \(list).none", "--from: cannot open \(list).none")])
    }

    @Test func aFormerHandleIsForgotten() throws {
        try importing(team)
        try importing("id,login,name\n7,adele,Ada\n")
        expect([
            ("forget --handle adele", "adele: not a former handle in any directory"),
            ("forget --handle ada --directory team", "ada: no longer redirects in team"),
            ("forget --handle ada", "ada: not a former handle in any directory"),
        ])
        #expect(try export().contains("adele"))
    }

    @Test func aNameThatOneHasIsEnoughAndOneThatSeveralHaveAsksWhich() throws {
        try importing("id,login,name\n7,ada,Ada Lovelace\n8,lena-lang,Lena Lang\n9,lena-lang-2,Lena Lang\n")
        let question = """
            rollcall: Lena Lang: several have that name; say which:
              rollcall forget lena-lang --directory team  # /users/lena-lang?directory=team
              rollcall forget lena-lang-2 --directory team  # /users/lena-lang-2?directory=team

            """
        for output in [rollcall("forget", "Lena Lang"), rollcall("forget", "Lena", "Lang")] {
            #expect(output.status == 1 && output.output.isEmpty && output.error == question, "\(output)")
        }
        #expect(rollcall("forget", "Ada Lovelace").output == "Ada Lovelace (ada): forgotten in team (1)\n")
        #expect(rollcall("forget", "lena-lang", "--directory", "team").status == 0)
        #expect(
            rollcall("forget", "Lena Lang").output.hasPrefix("Lena Lang (lena-lang-2): forgotten in team (1)\n"))
    }

    @Test func errorsAreReported() throws {
        try importing(team)
        let mixed = rollcall("forget", "nobody", "김", "--id", "9")
        #expect(mixed.status == 1 && mixed.error == "rollcall: nobody: not found in any directory\n")
        #expect(mixed.output == "김: forgotten in team (1)\nid 9: forgotten in team (1)\n")
        try importing("id,login\n7,ada\n", into: "crew")
        expect([
            ("forget --id 7", "several: team, crew"),
            ("forget --id 7 --directory crew", "id 7: forgotten in crew (1)"),
            ("forget ada --directory crow", "has no directory crow; it has team, crew"),
            ("forget ada", "ada: forgotten in team (1)"),
            ("forget --undo ada --directory team", "--undo with the login, and without --directory"),
            ("forget --undo nobody", "nobody: was not forgotten in all directories; --directory SLUG"),
            ("forget -dash", "\"-dash\" is not an option"), ("forget -- -dash", "-dash: not found"),
            ("forget", "expected a login, --id and a number"),
        ])
    }
}
