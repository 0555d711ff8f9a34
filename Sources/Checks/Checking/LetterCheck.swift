import Base
import HTTPClient

extension DirectoryCheck {
    /// Checks that the counts of the letters add up to the number of users, that each letter begins where the one
    /// before ends, and that its page begins with the user at that position.
    ///
    /// In a descending order by last names, people without one come last and still count for the last letter. So only
    /// the sum is checked there.
    static func compareLetters(of walk: Walk, on server: CheckedServer) throws {
        guard let address = walk.place.letters, let total = walk.total else { return }
        let answer = try server.ask(address)
        let letters = try address.reading { try Self.letters(json: answer.body.span) }
        if letters.isEmpty { return }
        let sum = letters.reduce(0) { $0 + $1.count }
        try address.expect(sum == total, "expected letters of \(total) users, found those of \(sum)")
        if walk.place.order.value == .surname, walk.place.order.isDescending { return }
        var position = 1
        for letter in letters {
            try address.expect(
                letter.position == position,
                "letter \(letter.label): expected position \(position), found \(letter.position)")
            position += letter.count
            if letter.count == 0 { continue }
            let page = try walk.place.json(from: letter.label)
            let body = try server.ask(page).body
            let first = try page.reading { try ListedPage(json: body.span).users.first?.id }
            let expected = walk.ids[letter.position - 1]
            try page.expect(
                first == expected, "expected user \(expected) first, found \(first.map { "\($0)" } ?? "nobody")")
        }
    }

    /// The letters of an order by names, as `/letters.json` has them.
    private static func letters(json: Bytes) throws -> [(label: String, count: Int, position: Int)] {
        var letters: [(label: String, count: Int, position: Int)] = []
        try JSON.forEachMember(of: json) { key, list in
            guard key.equals("letters") else { return }
            try JSON.forEachElement(of: list.raw) { element in
                let members = JSON.Members(of: element.raw)
                let count = try required(
                    members["count"]?.int64.flatMap(UInt32.init(exactly:)), "expected the number of a letter's users")
                let position = Int(members["position"]?.int64 ?? 0)
                letters.append((members["letter"]?.string?.text ?? "", Int(count), position))
            }
        }
        return letters
    }
}
