extension DirectorySettings {
    /// Whether other columns than those of `settings` identify people.
    public func hasOtherKey(than settings: DirectorySettings) -> Bool {
        let names = { (settings: DirectorySettings) in (settings.own.key ?? []).map { $0.lowercased() } }
        return names(self) != names(settings)
    }

    /// Checks that the publisher's lists name fields that exist and have a suitable type, and that no field shows a
    /// column that another one hides.
    public func check() throws(SettingsError) {
        for field in own.fields ?? [] where !SettingsRules.isKey.holds(field.key) {
            let question = Suggestion.question(field.key, in: resolvedFields.map(\.key))
            throw SettingsError("fields: expected \(SettingsRules.isKey.expected), found \"\(field.key)\"\(question)")
        }
        let resolved = ResolvedSettings(self)
        let lists: [(String, [String]?, Use)] = [
            ("rows", own.rows, .show), ("cards", own.cards, .show), ("search", own.search, .search),
            ("filters", own.filters, .filter), ("sorts", own.sorts, .sort),
        ]
        for (member, keys, use) in lists {
            for key in keys ?? [] { try resolved.check(key, in: member, for: use) }
        }
        if let order = own.order {
            let parts = order.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 1 || parts[1] == "desc" else {
                throw SettingsError("order: expected KEY or KEY:desc, found \"\(order)\"")
            }
            try resolved.check(String(parts[0]), in: "order", for: .sort)
        }
        try resolved.checkColumns()
    }

    /// Checks that a file with `columns` has the columns that the publisher names. Case does not matter.
    public func check(columns: [String]) throws(SettingsError) {
        for column in own.key ?? [] { _ = try columns.column(column, for: "key") }
        for field in own.fields ?? [] where field.show != .never {
            guard let from = field.from else { continue }
            for column in FieldTemplate(from).columns { _ = try columns.column(column, for: "field \"\(field.key)\"") }
        }
    }

    enum Use { case show, search, filter, sort }
}

extension ResolvedSettings {
    /// Checks that `key` may stand in the list `member`.
    fileprivate func check(
        _ key: String, in member: String, for use: DirectorySettings.Use
    ) throws(SettingsError) {
        if use == .sort, FieldOrder.builtIn.contains(key) {
            if key != "surname" || fields.contains(where: \.isSurname) { return }
            throw SettingsError(
                """
                \(member): "surname" needs a public field last_name or reading, such as \
                --map last_name=COLUMN
                """)
        }
        if use == .search, key == "login" || key == "name" { return }
        guard let field = fields.first(where: { $0.key == key }) else {
            let orders = use == .sort ? FieldOrder.builtIn : []
            let names = orders + fields.filter { $0.visibility == .public && use.permits($0.type) }.map(\.key)
            let known = names.isEmpty ? "" : "; expected one of \(names.joined(separator: ", "))"
            throw SettingsError(
                "\(member): unknown field \"\(key)\"\(Suggestion.question(key, in: names))\(known)")
        }
        guard field.visibility == .public else {
            throw SettingsError(
                "\(member): expected a public field, found \"\(key)\", which is \(field.visibility.rawValue)")
        }
        guard use.permits(field.type) else {
            throw SettingsError(
                "\(member): expected \(use.expected), found \"\(key)\", which is a \(field.type.rawValue)")
        }
    }

    /// Checks that no field shows a column that another one keeps private or does not store.
    fileprivate func checkColumns() throws(SettingsError) {
        for hidden in fields where hidden.visibility != .public {
            for column in hidden.source.columns {
                let isRead = { (field: Field) in field.visibility > hidden.visibility && field.source.reads(column) }
                guard let field = fields.first(where: isRead) else { continue }
                throw SettingsError(
                    """
                    field "\(hidden.key)": expected to be \(field.visibility.rawValue), because "\(field.key)" reads \
                    the same column, \(column); found \(hidden.visibility.rawValue)
                    """)
            }
        }
    }
}

extension DirectorySettings.Use {
    fileprivate func permits(_ type: FieldType) -> Bool {
        switch self {
        case .show: true
        case .search: type != .link
        case .filter: type != .link
        case .sort: type == .text || type == .number || type == .date
        }
    }

    fileprivate var expected: String {
        switch self {
        case .show: "a field"
        case .search, .filter: "a field that is not a link"
        case .sort: "a number, date or text"
        }
    }
}

extension [String] {
    /// Returns the element that equals `name`, ignoring case.
    func column(_ name: String, for use: String) throws(SettingsError) -> String {
        if contains(name) { return name }
        let lowered = name.lowercased()
        if let column = first(where: { $0.lowercased() == lowered }) { return column }
        throw SettingsError(
            """
            \(use): expected a column of the file, found "\(name)"\(Suggestion.question(name, in: self)); \
            the columns are \(joined(separator: ", "))
            """)
    }
}
