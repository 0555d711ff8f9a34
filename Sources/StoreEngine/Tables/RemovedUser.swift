import People
import Publishing

/// A user who has been removed, with the values that stay if the person is written again: shown, hidden or with another
/// id. They do not come from the source.
struct RemovedUser {
    var login = ""
    var name = ""
    var generated: GeneratedNames = []
    /// The time of the first import.
    var addedAt: Int64
    /// A photo of the publisher's own, or 0 for an objection; `nil` for a picture that was fetched, and without one.
    var lastingPicture: Int64?

    static let columns = "login, name, flags, addedAt, picture, hasOwnPicture"
    static let columnCount: Int32 = 6

    init(addedAt: Int64) { self.addedAt = addedAt }

    init(_ statement: any StoreRow) {
        (login, name) = (statement.text(0), statement.text(1))
        generated = UserFlags(stored: statement.number(2)).generated
        addedAt = statement.number(3)
        let key = statement.optionalNumber(4)
        if key == 0 || statement.number(5) != 0 { lastingPicture = key }
    }
}

extension UserTables {
    /// Gives a person, hidden or not, who has just been written again the values that stay.
    func keepLastingValues(of removed: RemovedUser, as id: Int64) throws {
        for table in Table.ofPeople(in: directory) {
            try connection.run(
                """
                UPDATE \(table) SET addedAt = ?1, changedAt = ?2, picture = coalesce(?4, picture),
                    hasOwnPicture = coalesce(?5, hasOwnPicture) WHERE id = ?3
                """, removed.addedAt, now, id, removed.lastingPicture, removed.lastingPicture.map { $0 > 0 })
        }
    }
}
