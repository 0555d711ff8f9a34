import Base
import JSON
import People

/// The private values in a record of Rollcall's own export: the object that `rollcall export --with-private` writes.
enum PrivateMembers {
    /// Calls `body` with each private value: those of columns of users with their role, then the publisher's columns.
    static func forEach(
        in object: UnsafeRawBufferPointer, _ body: (FieldRole?, JSONString, JSONValue) -> Void
    ) throws {
        try JSON.forEachMember(of: object) { key, value in
            switch key.text {
            case "avatar_url": body(.photo, key, value)
            case "html_url": body(.website, key, value)
            case "type": body(.type, key, value)
            case "reputation": body(.reputation, key, value)
            case "fields":
                try JSON.forEachMember(of: value.raw) { key, value in
                    if key.raw.isEmpty { throw ImportError("expected the name of a column, found an empty one") }
                    body(nil, key, value)
                }
            case let other:
                throw ImportError(
                    "expected one of avatar_url, fields, html_url, reputation, type, found \"\(other)\"")
            }
        }
    }

    /// Says that the directory would show private values.
    static func refusal(_ columns: [String]) -> String {
        """
        the directory would show \(CSVHeader.list(columns)), private in the export; rollcall directories settings SLUG \
        --keep COLUMN hides a column, and an export without --with-private has no private values
        """
    }
}
