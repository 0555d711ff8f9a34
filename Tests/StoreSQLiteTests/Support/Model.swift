import Bytes
import Directories
import Foundation
import TestSupport

/// The expected results of a store, computed simply: an array that is sorted and searched for every query.
struct Model {
    var users: [Int64: User] = [:]

    mutating func write(_ batch: [User]) { for user in batch { users[user.id] = user } }

    func sorted(_ sort: Sort, _ search: Search? = nil) -> [User] {
        let ascending = users.values.filter { search?.matches($0) ?? true }.map { user in
            switch sort.key {
            case .id, .field: (user, [], 0)
            case .login: (user, user.loginKey, 0)
            case .name: (user, user.nameKey, 0)
            case .reputation: (user, [], user.reputation ?? .min)
            }
        }.sorted { (left: (User, [UInt8], Int64), right: (User, [UInt8], Int64)) in
            let order = compare(left.1, right.1)
            return order == 0 ? (left.2, left.0.id) < (right.2, right.0.id) : order < 0
        }.map(\.0)
        return sort.direction == .ascending ? ascending : ascending.reversed()
    }
}

private func compare<Element: Comparable>(_ left: [Element], _ right: [Element]) -> Int {
    left.lexicographicallyPrecedes(right) ? -1 : left == right ? 0 : 1
}

func key(_ text: String) -> [UInt8] {
    let buffer = ByteBuffer()
    let slice = buffer.append(folding: text)
    return Array(buffer.bytes[slice].sortText)
}

extension User {
    var loginKey: [UInt8] { key(login) }
    var nameKey: [UInt8] { key((name ?? "").isEmpty ? login : name!) }

    func cursor(_ sort: Sort.Key) -> Cursor {
        switch sort {
        case .id, .field: .id(id)
        case .login: .text(String(decoding: loginKey, as: UTF8.self), id: id)
        case .name: .text(String(decoding: nameKey, as: UTF8.self), id: id)
        case .reputation: .number(reputation, id: id)
        }
    }
}

extension User {
    /// For characters, the values in `more`; for other users, the type.
    var values: [Facet: String] {
        guard let more, let object = try? JSONSerialization.jsonObject(with: Data(more.utf8)) as? [String: Any],
            object["species"] != nil
        else { return [.type: type] }
        let facets = [Facet.status, .species, .gender].compactMap { facet in
            (object[facet.name] as? String).map { (facet, $0) }
        }
        return Dictionary(uniqueKeysWithValues: facets)
    }
}

extension Search {
    func matches(_ user: User) -> Bool {
        guard facets.allSatisfy({ user.values[$0.facet] == $0.value }) else { return false }
        let texts = [user.login.folded, (user.name ?? "").folded].map { $0.unicodeScalars.map(\.value) }
        return words.allSatisfy { word in texts.contains { contains($0, word.unicodeScalars.map(\.value)) } }
    }
}

private func contains(_ text: [UInt32], _ word: [UInt32]) -> Bool {
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
            reputation: Bool.random(using: &self) ? Int64.random(in: -3...3, using: &self) : nil,
            more: Bool.random(using: &self) ? "{\"n\":\(next() % 9)}" : nil)
    }
}
