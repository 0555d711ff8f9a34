import Base
import People

/// A JSON value in settings, and its path (`fields[2].label`).
struct SettingsValue {
    var path: String
    var json: JSONValue
    /// Whether the limits and rules of texts apply. They do not apply to inferred or stored settings.
    var isStrict: Bool

    /// Reads a whole text.
    init(_ text: UnsafeRawBufferPointer, isStrict: Bool) throws(RollcallError) {
        path = ""
        self.isStrict = isStrict
        do {
            json = try JSON.value(text)
        } catch {
            let before = text.prefix(error.offset)
            let line = before.count { $0 == UInt8(ascii: "\n") } + 1
            let column = before.count - (before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0) + 1
            throw RollcallError("line \(line), column \(column): \(error.message)")
        }
    }

    private init(path: String, json: JSONValue, isStrict: Bool) {
        self.path = path
        self.json = json
        self.isStrict = isStrict
    }

    /// The value, without limits and rules of texts.
    var lenient: SettingsValue { SettingsValue(path: path, json: json, isStrict: false) }

    /// Returns the members of an object. Throws an error for a member that is not in `names`, and for a duplicate.
    func members(_ names: [String]) throws(RollcallError) -> [String: SettingsValue] {
        let members = try object()
        let place = path.isEmpty ? "" : "\(path): "
        var found: [String: SettingsValue] = [:]
        for (name, value) in members {
            try expect(
                names.contains(name),
                "\(place)unknown member \"\(name.printable)\"\(Suggestion.question(name, in: names))")
            guard found.updateValue(value, forKey: name) == nil else {
                throw RollcallError("expected \(value.path) once, found it twice")
            }
        }
        return found
    }

    func object() throws(RollcallError) -> [(name: String, value: SettingsValue)] {
        guard json.kind == .object else { throw unexpected("an object") }
        var members: [(name: String, value: SettingsValue)] = []
        // The whole text has been read before, so this cannot fail.
        try? JSON.forEachMember(of: json.raw) { key, value in
            let name = key.text
            let path = path.isEmpty ? name : "\(path).\(name)"
            members.append((name, SettingsValue(path: path, json: value, isStrict: isStrict)))
        }
        return members
    }

    func elements(limit: Int) throws(RollcallError) -> [SettingsValue] {
        guard json.kind == .array else { throw unexpected("an array") }
        var elements: [SettingsValue] = []
        try? JSON.forEachElement(of: json.raw) { element in
            elements.append(SettingsValue(path: "\(path)[\(elements.count)]", json: element, isStrict: isStrict))
        }
        try expect(!isStrict || elements.count <= limit, "\(path): expected at most \(limit), found \(elements.count)")
        return elements
    }

    /// Returns a text that is not empty.
    func text(_ expected: String = "a text") throws(RollcallError) -> String {
        try self.expected(expected, json.string.flatMap { $0.text.isEmpty ? nil : $0.text })
    }

    /// Returns a non-empty text of one line and at most `limit` characters.
    func line(maxCharacters limit: Int) throws(RollcallError) -> String { try line(limit, "characters", \.count) }

    /// Returns a non-empty text of one line and at most ``SettingsLimits/textBytes`` bytes.
    func line() throws(RollcallError) -> String { try line(SettingsLimits.textBytes, "bytes", \.utf8.count) }

    private func line(
        _ limit: Int, _ unit: String, _ size: @escaping @Sendable (String) -> Int
    ) throws(RollcallError) -> String {
        let rule = SettingsRule(expected: "a text of one line, of at most \(limit) \(unit)") { text in
            size(text) <= limit && text.printable == text
        }
        return try checked(text("a text of at most \(limit) \(unit)"), by: rule)
    }

    /// Returns `text`, which is that of the value. Throws if the value is strict and `rule` forbids it.
    func checked(_ text: String, by rule: SettingsRule) throws(RollcallError) -> String {
        if isStrict, !rule.holds(text) { throw unexpected(rule.expected) }
        return text
    }

    func name(of names: [String]) throws(RollcallError) -> String {
        let expected = "one of \(names.joined(separator: ", "))"
        let text = try text(expected)
        try expect(names.contains(text), "\(unexpected(expected))\(Suggestion.question(text, in: names))")
        return text
    }

    /// Returns what was found in the value. Throws an error without it.
    func expected<Found>(_ expected: String, _ found: Found?) throws(RollcallError) -> Found {
        guard let found else { throw unexpected(expected) }
        return found
    }

    func unexpected(_ expected: String) -> RollcallError {
        let start = String(decoding: json.raw.prefix(60), as: UTF8.self).printable
        let found = json.raw.count > 60 ? "\(start)…" : start
        return RollcallError("\(path.isEmpty ? "settings" : path): expected \(expected), found \(found)")
    }
}

/// A member of a JSON object with settings: its name, and how its value is read, written and merged. A new setting is a
/// property and a line in one of the tables ``Settings/members`` and ``FieldSettings/members``.
struct SettingsMember<Object: Sendable>: Sendable {
    let name: String
    /// Reads the value into the object. Throws an error for another value than expected.
    let read: @Sendable (SettingsValue, inout Object) throws(RollcallError) -> Void
    /// Returns the value as JSON; `nil` if it is not set.
    let node: @Sendable (Object) -> SettingsNode?
    /// Sets the value in the second object to that of the first, if the first has one, and else removes it if its name
    /// is among the nulls.
    let merge: @Sendable (Object, _ nulls: Set<String>, inout Object) -> Void

    init<Value>(_ name: String, _ path: WritableKeyPath<Object, Value?> & Sendable, _ form: SettingsForm<Value>) {
        self.init(name, path, write: form.write) { value, _ throws(RollcallError) in try form.read(value) }
    }

    /// A member whose values depend on those that are read before it.
    init<Value>(
        _ name: String, _ path: WritableKeyPath<Object, Value?> & Sendable,
        write: @escaping @Sendable (Value) -> SettingsNode,
        read: @escaping @Sendable (SettingsValue, Object) throws(RollcallError) -> Value
    ) {
        self.name = name
        self.read = { value, object throws(RollcallError) in object[keyPath: path] = try read(value, object) }
        node = { object in object[keyPath: path].map(write) }
        merge = { newer, nulls, object in
            object[keyPath: path] = newer[keyPath: path] ?? (nulls.contains(name) ? nil : object[keyPath: path])
        }
    }

    /// Returns those of `members` that are set in `object`, as JSON.
    static func nodes(_ members: [SettingsMember], of object: Object) -> [(name: String, value: SettingsNode)] {
        members.compactMap { member in member.node(object).map { (member.name, $0) } }
    }

    /// Reads those of `members` that are in `values` and are not `null`.
    static func read(
        _ members: [SettingsMember], of values: [String: SettingsValue], into object: inout Object
    ) throws(RollcallError) {
        for member in members {
            if let value = values[member.name], !value.json.isNull { try member.read(value, &object) }
        }
    }
}
