import Base
import JSON
import People

/// The private values in a record of Rollcall's own export: the object that `rollcall export --with-private` writes.
enum PrivateMembers {
    /// Whether `bytes` are such an object, wherever it stands.
    static func areObject(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var isMarked = false
        try? JSON.forEachMember(of: bytes) { key, value in
            if key.equals("rollcall"), value.string?.equals("private") == true { isMarked = true }
        }
        return isMarked
    }

    /// Calls `body` with each private value: those of columns of users with their role, then the publisher's columns.
    static func forEach(
        in object: UnsafeRawBufferPointer, _ body: (FieldRole?, JSONString, JSONValue) -> Void
    ) throws {
        var names: Set<String> = []
        try JSON.forEachMember(of: object) { key, value in
            let name = key.text
            guard names.insert(name).inserted else { throw ImportError("\(name) occurs twice") }
            switch name {
            case "rollcall": break
            case "fields":
                guard value.kind == .object else {
                    throw ImportError("expected an object as fields, found another value")
                }
                var columns: Set<String> = []
                try JSON.forEachMember(of: value.raw) { key, value in
                    guard !key.raw.isEmpty, columns.insert(key.text.folded).inserted else {
                        throw ImportError("expected different names of columns, found \"\(key.text)\"")
                    }
                    body(nil, key, value)
                }
            default:
                guard let role = roles[name] else {
                    throw ImportError("expected one of avatar_url, fields, html_url, reputation, type, found \(name)")
                }
                guard role == .reputation ? value.kind == .number : value.kind == .string else {
                    let kind = role == .reputation ? "number" : "text"
                    throw ImportError("expected a \(kind) as \(name), found another value")
                }
                body(role, key, value)
            }
        }
    }

    private static let roles: [String: FieldRole] = [
        "avatar_url": .photo, "html_url": .website, "type": .type, "reputation": .reputation,
    ]

    /// Says that the directory would show private values.
    static func refusal(_ columns: [String]) -> String {
        """
        the directory would show \(CSVHeader.list(columns)), private in the export; rollcall directories settings SLUG \
        --keep COLUMN hides a column, and an export without --with-private has no private values
        """
    }
}
