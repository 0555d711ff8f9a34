import Base
import Foundation
import Publishing

/// The names, the work and the hobbies of made-up people, from `people.json` beside this file.
struct DemoMaterial: Decodable {
    static let shared = read { try JSONDecoder().decode(DemoMaterial.self, from: Data($0)) }

    /// The settings of the directory, as `rollcall directories settings` prints them.
    static let settings = read { json in
        var settings: DirectorySettings?
        try JSON.forEachMember(of: json) { key, value in
            if key.equals("settings") { settings = try DirectorySettings(json: value.raw) }
        }
        return try required(settings, "expected settings, found none")
    }

    private static func read<Value>(_ body: (UnsafeRawBufferPointer) throws -> Value) -> Value {
        do { return try [UInt8](Data(base64Encoded: embeddedPeople) ?? Data()).withUnsafeBytes(body) } catch {
            preconditionFailure("Sources/Importers/Demo/people.json: \(error)")
        }
    }

    let teams: [Team]
    let offices: [String]
    let languages: [String]
    let hobbies: [String]
    /// The first people, whose names, work and faces were matched by hand. All others are drawn.
    let firstPeople: [Person]
    /// People whose given names nobody else has. The list begins with them, so that namesakes do not fill its first
    /// page: all other names in Latin letters come after these. Their faces go by their places, and fit the names.
    let distinctNames: [String]
    /// The names that are put together, by language.
    let names: [Names]
    /// The words that logins end with, and that the names of organizations and programs begin with.
    let words: [String]
    /// The words that the names of organizations end with.
    let groups: [String]

    struct Team: Decodable {
        let name: String
        /// The first one leads the team: one person in sixteen.
        let titles: [String]
        let skills: [String]
        /// Sentences about the work of people in the team, in the third person.
        let work: [String]
    }

    struct Person: Decodable {
        let name: String
        let login: String
        let title: String
        let team: String
        let place: String?
        let commits: Int64
        /// The number of the face; `nil` for those who have no picture.
        let face: Int?
        /// `nil` for a human being.
        let type: String?
    }

    struct Names: Decodable {
        let given: [String]
        let family: [String]
        /// The given names in Latin letters, in the same order, for logins.
        let handles: [String]
        let places: [String]
        /// The text between the names; `nil` for a space.
        let joint: String?
        /// Whether the family name comes first.
        let isFamilyFirst: Bool?

        var hasSecondNames: Bool { joint == nil && isFamilyFirst != true }

        func name(given: String, family: String) -> String {
            let joint = joint ?? " "
            return isFamilyFirst == true ? family + joint + given : given + joint + family
        }
    }
}
