import Base
import People

/// Finds fields by what publishers call them. A key counts before the heading of a column, and a heading before a
/// label, each in any case.
struct FieldNames {
    private let fields: [Field]

    init(_ fields: [ResolvedField]) { self.fields = fields.map(\.field) }

    /// Returns the key of the field called `name`; `nil` if there is none. Throws an error if two have that name.
    func key(of name: String, in member: String) throws(RollcallError) -> String? {
        let (lowered, folded) = (name.lowercased(), name.folded)
        let fits: [(Field) -> Bool] = [
            { $0.key == name }, { $0.key == lowered }, { $0.source.onlyColumn?.folded == folded },
            { $0.label.texts.contains { $0.folded == folded } },
        ]
        for fit in fits {
            let found = fields.filter(fit)
            guard let first = found.first else { continue }
            let keys = found.map(\.key).joined(separator: ", ")
            try expect(
                found.count == 1, "\(member): \"\(name)\" is the name of several fields: \(keys); expected a key")
            return first.key
        }
        return nil
    }

    /// Returns the names with the keys of fields in the place of other names. Unknown names stay.
    func keys(of names: [String], in member: String) throws(RollcallError) -> [String] {
        try names.map { name throws(RollcallError) in
            try member == "sorts" ? order(name, in: member) : key(of: name, in: member) ?? name
        }.distinct(in: member)
    }

    /// Returns the order that `name` names, with `:desc` if it has that. An order by last names is `surname`.
    func order(_ name: String, in member: String) throws(RollcallError) -> String {
        let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let lowered = parts[0].lowercased()
        let direction = parts.count > 1 ? ":\(parts[1])" : ""
        if FieldOrder.builtIn.contains(lowered) { return lowered + direction }
        guard let key = try key(of: String(parts[0]), in: member) else { return name }
        return (key == FieldRole.lastName.rawValue ? "surname" : key) + direction
    }
}

extension DirectorySettings {
    /// Returns the settings with keys in the place of headings and labels in the publisher's lists. Unknown names stay,
    /// for ``check()`` to report.
    public func listingKeys() throws(RollcallError) -> DirectorySettings {
        let names = FieldNames(resolvedFields)
        var settings = self
        for (member, path, _) in Settings.lists {
            if let list = own[keyPath: path] { settings.own[keyPath: path] = try names.keys(of: list, in: member) }
        }
        if let order = own.order { settings.own.order = try names.order(order, in: "order") }
        return settings
    }

    /// Returns the settings with the keys of the fields of `others` in the place of the headings and labels by which
    /// the publisher's fields without a source are called.
    public func keyingFields(by others: DirectorySettings) throws(RollcallError) -> DirectorySettings {
        let names = FieldNames(others.resolvedFields)
        var keyed: [FieldSettings] = []
        for field in own.fields {
            keyed.change(try names.key(ofField: field)) { known in
                for member in FieldSettings.members { member.merge(field, [], &known) }
            }
        }
        var settings = self
        settings.own.fields = keyed
        return settings
    }
}

extension FieldNames {
    /// Returns the key of the field that `field` is about. One with a source of its own may have a new key.
    func key(ofField field: FieldSettings) throws(RollcallError) -> String {
        if field.from != nil, SettingsRule.isKey.holds(field.key) { return field.key }
        return try key(of: field.key, in: "fields") ?? field.key
    }
}

extension [FieldSettings] {
    /// Changes the settings of the field `key`, which are added if they are missing.
    mutating func change<Failure>(
        _ key: String, _ change: (inout FieldSettings) throws(Failure) -> Void
    ) throws(Failure) {
        let index = firstIndex { $0.key == key } ?? count
        if index == count { append(FieldSettings(key: key)) }
        try change(&self[index])
    }
}
