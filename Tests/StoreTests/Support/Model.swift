import Base
import Foundation
import People
import Synchronization
import TestSupport

/// The expected results of a store, computed simply: an array that is sorted and searched for every query.
struct Model {
    var users: [Int64: User] = [:] { didSet { memo = Memo(memo) } }
    /// The places of users in the file.
    var places: [Int64: Int64] = [:]
    var settings = ShownSettings.empty { didSet { memo = Memo() } }
    /// A search with more matches does not compare accents.
    var accented = 4_000
    private var memo = Memo()

    /// How well users match, because every page of a test asks for all of them.
    private final class Memo {
        /// The matches among `users`.
        var matches: [Search: [Int64: SearchMatch]] = [:]
        /// The results for users as they were, who seldom change.
        var results: [Search: [Int64: (user: User, relevance: SearchMatch?)]]
        /// The lines of users as they were.
        var lines: [Int64: (user: User, lines: SearchLines)]

        init(_ earlier: Memo? = nil) { (results, lines) = (earlier?.results ?? [:], earlier?.lines ?? [:]) }
    }

    /// Returns how well all users who match do so.
    private func matches(_ search: Search) -> [Int64: SearchMatch] {
        if let known = memo.matches[search] { return known }
        let earlier = memo.results[search] ?? [:]
        let results = users.mapValues { user in
            if let known = earlier[user.id], known.user == user { return known }
            return (user, search.relevance(of: user, settings, lines(of: user)))
        }
        let matches = results.compactMapValues(\.relevance)
        memo.results[search] = results
        memo.matches[search] = matches
        return matches
    }

    private func lines(of user: User) -> SearchLines {
        if let known = memo.lines[user.id], known.user == user { return known.lines }
        let lines = SearchLines(user, settings)
        memo.lines[user.id] = (user, lines)
        return lines
    }

    /// Whether exact matches come before others in the order by relevance.
    private func comparesAccents(_ search: Search) -> Bool {
        accented >= users.count || matches(search).count <= accented
    }

    /// Returns the relevance of a match in the order of a search.
    func rank(of user: User, _ search: Search) -> SearchMatch? {
        relevance(of: user, search).map { SearchMatch($0.tier, isExact: !comparesAccents(search) || $0.isExact) }
    }

    mutating func write(_ batch: [User]) { for user in batch { users[user.id] = user } }

    func sorted(_ sort: Sort, _ search: Search? = nil) -> [User] {
        guard let search else { return sorted(Array(users.values), sort, nil) }
        let matches = self.matches(search)
        return sorted(users.values.filter { matches[$0.id] != nil }, sort, search)
    }

    /// Returns how well `user` matches, or `nil` for no match.
    func relevance(of user: User, _ search: Search) -> SearchMatch? {
        users[user.id] == user ? matches(search)[user.id] : search.relevance(of: user, settings)
    }

    private func sorted(_ matches: [User], _ sort: Sort, _ search: Search?) -> [User] {
        if sort.key.hasMissingValues { return sorted(matches, by: sort.key, sort.direction) }
        if case .relevance(let base) = sort.key {
            let groups = Dictionary(grouping: sorted(matches, base, search)) { user in
                search.flatMap { rank(of: user, $0) }
            }
            let matches = SearchMatch.all.flatMap { groups[$0] ?? [] }
            return sort.direction == .ascending ? matches : matches.reversed()
        }
        let ascending = order(of: matches, by: matches.map { key(of: $0, sort.key) }) { compare($0, $1) }
        return sort.direction == .ascending ? ascending : ascending.reversed()
    }

    private func key(of user: User, _ sort: Sort.Key) -> [UInt8] {
        switch sort {
        case .id, .field, .relevance: []
        case .login: user.loginKey
        case .name: user.nameKey(settings.language)
        }
    }

    /// Users without a value come last in both directions, and equal ones in the order of ids.
    private func sorted(_ users: [User], by key: Sort.Key, _ direction: Sort.Direction) -> [User] {
        order(of: users, by: users.map { cursor(of: $0, key) }) { $0.order(to: $1, direction) }
    }

    /// Returns users in the order of their keys. Sorts their places, because copies of users take a while.
    private func order<Key>(of users: [User], by keys: [Key], _ compare: (Key, Key) -> Int) -> [User] {
        let ids = users.map(\.id)
        return users.indices.sorted { left, right in
            let order = compare(keys[left], keys[right])
            return order == 0 ? ids[left] < ids[right] : order < 0
        }.map { users[$0] }
    }

    private var stamp: UInt32 { CollationStamp(language: settings.language).hash }

    func cursor(of user: User, _ sort: Sort.Key, _ search: Search? = nil) -> Cursor {
        if case .field(let order) = sort { return cursor(of: user, order) }
        if case .relevance(let base) = sort {
            // A user who has changed may be anywhere in the order, so a cursor may name any relevance.
            let relevance =
                search.flatMap { rank(of: user, $0) } ?? SearchMatch.all[Int(user.id) % SearchMatch.all.count]
            return .relevance(relevance, cursor(of: user, base.key))
        }
        return user.cursor(sort, settings.language)
    }

    private func cursor(of user: User, _ order: FieldOrder) -> Cursor {
        let cells = user.cells
        let text = { (column: String?) in column.flatMap { cells[$0] }.flatMap { $0.isEmpty ? nil : $0 } }
        switch order.key {
        case "place": return .number(places[user.id], id: user.id)
        case "surname":
            let surname = text("Last").map {
                CollationKeys(language: settings.language).key(of: $0, then: user.name ?? "")
            }
            return .key(surname ?? [], stamp: stamp, id: user.id)
        default:
            let field = settings.fields[order.field!]
            let text = text(field.source.onlyColumn)
            if order.kind == .text {
                return .key(collationKey(text ?? "", settings.language), stamp: stamp, id: user.id)
            }
            return .number(text.flatMap { field.type == .date ? Self.days($0) : Int64($0) }, id: user.id)
        }
    }

    /// The days from 1970-01-01 to a date like `2019-03-01`.
    private static func days(_ text: String) -> Int64? {
        format.withLock { $0.date(from: text) }.map { Int64($0.timeIntervalSince1970 / 86400) }
    }

    private static let format: Mutex<DateFormatter> = {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(identifier: "UTC")
        format.dateFormat = "yyyy-MM-dd"
        return Mutex(format)
    }()
}

extension Sort.Key {
    /// Whether users may have no value in this order, and then come last in both directions.
    var hasMissingValues: Bool {
        switch self {
        case .id, .login, .name, .relevance: false
        case .field: true
        }
    }
}

extension Cursor {
    /// Returns a negative number, zero or a positive number as the value of this cursor comes before that of `other`,
    /// at the same place or after it, in an order in which users without a value come last.
    func order(to other: Cursor, _ direction: Sort.Direction) -> Int {
        let order: Int
        switch (self, other) {
        case (.key(let left, _, _), .key(let right, _, _)):
            if left.isEmpty || right.isEmpty { return left.isEmpty ? right.isEmpty ? 0 : 1 : -1 }
            order = compare(left, right)
        case (.number(let left, _), .number(let right, _)):
            guard let left, let right else { return left == nil ? right == nil ? 0 : 1 : -1 }
            order = left < right ? -1 : left == right ? 0 : 1
        default: return 0
        }
        return direction == .ascending ? order : -order
    }
}

/// Returns a negative number, zero or a positive number as `left` comes before `right`, equals it or comes after it.
func compare(_ left: [UInt8], _ right: [UInt8]) -> Int {
    let order = memcmp(left, right, min(left.count, right.count))
    return order == 0 ? left.count - right.count : Int(order)
}

func key(_ text: String) -> [UInt8] {
    let buffer = ByteBuffer()
    let slice = buffer.append(loose: text)
    return Array(buffer.bytes[slice].sortText)
}

func collationKey(_ text: String, _ language: String) -> [UInt8] { CollationKeys(language: language).key(of: text) }

extension User {
    var loginKey: [UInt8] { key(login) }

    func nameKey(_ language: String) -> [UInt8] { collationKey((name ?? "").isEmpty ? login : name!, language) }

    func cursor(_ sort: Sort.Key, _ language: String = "und") -> Cursor {
        switch sort {
        case .id, .field, .relevance: .id(id)
        case .login: .text(String(decoding: loginKey, as: UTF8.self), id: id)
        case .name: .key(nameKey(language), stamp: CollationStamp(language: language).hash, id: id)
        }
    }
}

extension User {
    /// For characters, the values in `more`; for other users, the type.
    var values: [Filter: String] {
        guard let more, let object = try? JSONSerialization.jsonObject(with: Data(more.utf8)) as? [String: Any],
            object["species"] != nil
        else { return cells["type"].map { [.type: $0] } ?? [:] }
        let filters = [Filter.status, .species, .gender].compactMap { filter in
            let number = (object[filter.key] as? NSNumber).map { "\($0)" }
            return (object[filter.key] as? String ?? number).map { (filter, $0) }
        }
        return Dictionary(uniqueKeysWithValues: filters)
    }
}

extension User {
    /// The cells of a row, in `more`.
    var cells: [String: String] {
        guard let more else { return [:] }
        return Self.known.withLock { known in
            if let cells = known[more] { return cells }
            let object = try? JSONSerialization.jsonObject(with: Data(more.utf8)) as? [String: Any]
            let cells = (object ?? [:]).compactMapValues { $0 as? String }
            known[more] = cells
            return cells
        }
    }

    /// The cells by texts, because every comparison with a model asks for those of all people.
    private static let known = Mutex<[String: [String: String]]>([:])

    /// The values of a field: the elements of a list.
    func values(of field: Field) -> [String] {
        guard let column = field.source.onlyColumn, let text = cells[column] else { return [] }
        let elements = field.type == .list ? text.components(separatedBy: field.separator ?? ";") : [text]
        return elements.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }
}

extension Search {
    func matches(_ user: User, _ settings: ShownSettings = .empty) -> Bool {
        matches(user, settings, SearchLines(user, settings))
    }

    private func matches(_ user: User, _ settings: ShownSettings, _ lines: @autoclosure () -> SearchLines) -> Bool {
        guard filters.allSatisfy({ $0.leaves(user, settings) }) else { return false }
        if words.distinct.isEmpty { return true }
        let lines = lines().all
        return words.distinct.allSatisfy { word in lines.contains { $0.has(word) } }
    }

    func relevance(of user: User, _ settings: ShownSettings) -> SearchMatch? {
        relevance(of: user, settings, SearchLines(user, settings))
    }

    fileprivate func relevance(of user: User, _ settings: ShownSettings, _ lines: SearchLines) -> SearchMatch? {
        guard matches(user, settings, lines) else { return nil }
        let isExact = words.exact.allSatisfy { word in
            let word = String(decoding: word, as: UTF8.self).unicodeScalars.map(\.value)
            return lines.exact.contains { occurs(word, in: $0) }
        }
        let whole = words.phrase.map(\.text).joined(separator: " ").unicodeScalars.map(\.value)
        if lines.titles.contains(whole) { return SearchMatch(.whole, isExact: isExact) }
        let isBeginning = lines.titles.contains { title in
            if title.starts(with: whole) { return true }
            // The searches of tests have one word with a partial syllable.
            return words.phrase.count == 1 && words.phrase[0].occurs(in: title, at: 0)
        }
        if isBeginning { return SearchMatch(.beginning, isExact: isExact) }
        let beginsWords = words.distinct.allSatisfy { word in
            word.beginsWithLetter && lines.all.contains { $0.hasWord(beginningWith: word) }
        }
        return SearchMatch(beginsWords ? .words : .elsewhere, isExact: isExact)
    }
}

/// The lines in which searches look, as scalars.
private struct SearchLines {
    let titles: [[UInt32]]
    let all: [[UInt32]]
    /// The lines as they were typed, apart from case; of fields only the loose form.
    let exact: [[UInt32]]

    init(_ user: User, _ settings: ShownSettings) {
        let names = [user.generated.contains(.login) ? "" : user.login, user.name ?? ""]
        let fields = settings.searched.flatMap { user.values(of: settings.fields[$0]) }.map { $0.loose.scalars }
        titles = names.map { $0.loose.scalars } + names.map { Self.initials($0.loose) }
        all = titles + fields
        exact = names.map { $0.folded.scalars } + fields
    }

    /// Returns the initial consonants of Hangul syllables in `text`, joined over spaces, as scalars from U+1100 on.
    private static func initials(_ text: String) -> [UInt32] {
        var result: [UInt32] = text.scalars.filter { $0 != 0x20 }.map { scalar in
            (0xAC00...0xD7A3).contains(scalar) ? 0x1100 + (scalar - 0xAC00) / 588 : 0x20
        }
        while result.first == 0x20 { result.removeFirst() }
        return result
    }
}

extension String {
    fileprivate var scalars: [UInt32] { unicodeScalars.map(\.value) }
}

extension SearchWords.Word {
    /// Whether the word is in `text` at `start`, where its last scalar may be completed.
    fileprivate func occurs(in text: [UInt32], at start: Int) -> Bool {
        let scalars = text[start...].prefix(self.text.unicodeScalars.count)
        if scalars.elementsEqual(self.text.unicodeScalars.lazy.map(\.value)) { return true }
        guard let completions, scalars.count == self.text.unicodeScalars.count, let last = scalars.last else {
            return false
        }
        return completions.contains(last)
            && scalars.dropLast().elementsEqual(self.text.unicodeScalars.dropLast().lazy.map(\.value))
    }
}

extension [UInt32] {
    fileprivate func has(_ word: SearchWords.Word) -> Bool { indices.contains { word.occurs(in: self, at: $0) } }

    fileprivate func hasWord(beginningWith word: SearchWords.Word) -> Bool {
        indices.contains { index in
            (index == 0 || !self[index - 1].isWordScalar) && word.occurs(in: self, at: index)
        }
    }
}

extension ChosenFilter {
    fileprivate func leaves(_ user: User, _ settings: ShownSettings) -> Bool {
        let field = settings.fields.first { $0.key == filter.key }
        let found = field.map { user.values(of: $0) } ?? [user.values[filter]].compactMap { $0 }
        if values.contains(where: { value in found.contains { $0.folded == value.folded } }) { return true }
        let number = found.first.flatMap { field?.sortNumber(ofFilterValue: $0) }
        return ranges.contains { range in number.map(range.numbers.contains) ?? false }
    }
}

private func occurs(_ word: [UInt32], in text: [UInt32]) -> Bool {
    guard text.count >= word.count else { return false }
    return (0...(text.count - word.count)).contains { start in
        word.indices.allSatisfy { text[start + $0] == word[$0] }
    }
}

extension SplitMix {
    /// Returns a user with text in many scripts, more similar to other users than real ones are.
    mutating func user(id: Int64) -> User {
        let syllables = [
            "ka", "Ro", "mi", "ß", "İ", "ς", "é", "e\u{301}", "김", "민준", "\u{1112}\u{1161}\u{11ab}", "x\u{302}", "\"",
            "*", "OR", "-", "_", "7",
        ]
        let some = { (random: inout SplitMix, count: ClosedRange<Int>) in
            (0..<Int.random(in: count, using: &random)).map { _ in syllables.randomElement(using: &random)! }
        }
        let login = some(&self, 1...3).joined()
        let name =
            Bool.random(using: &self)
            ? some(&self, 1...4).joined(separator: [" ", ""].randomElement(using: &self)!) : nil
        return User(
            id: id, login: login, name: name,
            avatarURL: Bool.random(using: &self) ? "https://example.org/\(id)" : nil,
            more: Bool.random(using: &self) ? "{\"n\":\(next() % 9)}" : nil)
    }
}
