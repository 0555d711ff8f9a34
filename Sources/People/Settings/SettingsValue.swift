import JSON

/// A JSON value in settings, and its path (`fields[2].label`).
struct SettingsValue {
    var path: String
    var json: JSONValue
    /// Whether the limits and rules of texts apply. They do not apply to inferred or stored settings.
    var isStrict: Bool

    /// Reads a whole text.
    init(_ text: UnsafeRawBufferPointer, isStrict: Bool) throws(SettingsError) {
        path = ""
        self.isStrict = isStrict
        do {
            json = try JSON.value(text)
        } catch {
            let before = text.prefix(error.offset)
            let line = before.count { $0 == UInt8(ascii: "\n") } + 1
            let column = before.count - (before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0) + 1
            throw SettingsError("line \(line), column \(column): \(error.message)")
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
    func members(_ names: [String]) throws(SettingsError) -> [String: SettingsValue] {
        let members = try object()
        var found: [String: SettingsValue] = [:]
        for (name, value) in members {
            guard names.contains(name) else {
                let place = path.isEmpty ? "" : "\(path): "
                throw SettingsError(
                    "\(place)unknown member \"\(name.printable)\"\(Suggestion.question(name, in: names))")
            }
            guard found.updateValue(value, forKey: name) == nil else {
                throw SettingsError("expected \(value.path) once, found it twice")
            }
        }
        return found
    }

    /// Returns the members of an object, in order.
    func object() throws(SettingsError) -> [(name: String, value: SettingsValue)] {
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

    /// Returns the elements of an array of at most `limit`.
    func elements(limit: Int) throws(SettingsError) -> [SettingsValue] {
        guard json.kind == .array else { throw unexpected("an array") }
        var elements: [SettingsValue] = []
        try? JSON.forEachElement(of: json.raw) { element in
            elements.append(SettingsValue(path: "\(path)[\(elements.count)]", json: element, isStrict: isStrict))
        }
        guard !isStrict || elements.count <= limit else {
            throw SettingsError("\(path): expected at most \(limit), found \(elements.count)")
        }
        return elements
    }

    /// Returns a text, which may be empty.
    func anyText() throws(SettingsError) -> String {
        guard let text = json.string?.text else { throw unexpected("a text") }
        return text
    }

    /// Returns a text that is not empty.
    func text(_ expected: String = "a text") throws(SettingsError) -> String {
        guard let text = json.string?.text, !text.isEmpty else { throw unexpected(expected) }
        return text
    }

    /// Returns a non-empty text of one line and at most `limit` characters.
    func line(maxCharacters limit: Int) throws(SettingsError) -> String {
        let text = try text("a text of at most \(limit) characters")
        guard !isStrict || text.count <= limit && text.printable == text else {
            throw unexpected("a text of one line, of at most \(limit) characters")
        }
        return text
    }

    /// Returns a non-empty text of one line and at most ``SettingsLimits/textBytes`` bytes.
    func line() throws(SettingsError) -> String {
        let limit = SettingsLimits.textBytes
        let text = try text()
        guard !isStrict || text.utf8.count <= limit && text.printable == text else {
            throw unexpected("a text of one line, of at most \(limit) bytes")
        }
        return text
    }

    func bool() throws(SettingsError) -> Bool {
        guard let bool = json.bool else { throw unexpected("true or false") }
        return bool
    }

    /// Returns the case that the text names.
    func option<Option: RawRepresentable & CaseIterable>(
        _ type: Option.Type
    ) throws(SettingsError) -> Option where Option.RawValue == String {
        let names = Option.allCases.map(\.rawValue)
        guard let option = Option(rawValue: try name(of: names)) else { throw unexpected("one of the names") }
        return option
    }

    /// Returns the text, which must be one of `names`.
    func name(of names: [String]) throws(SettingsError) -> String {
        let expected = "one of \(names.joined(separator: ", "))"
        let text = try text(expected)
        guard names.contains(text) else {
            throw SettingsError("\(unexpected(expected))\(Suggestion.question(text, in: names))")
        }
        return text
    }

    func unexpected(_ expected: String) -> SettingsError {
        let start = String(decoding: json.raw.prefix(60), as: UTF8.self).printable
        let found = json.raw.count > 60 ? "\(start)…" : start
        return SettingsError("\(path.isEmpty ? "settings" : path): expected \(expected), found \(found)")
    }
}
