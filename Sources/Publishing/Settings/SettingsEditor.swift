import Base
import People

/// Applies ``SettingsEdits``.
struct SettingsEditor {
    var settings: DirectorySettings
    let columns: [String]

    /// Reads a field from another template. The columns must exist.
    mutating func map(_ mapping: SettingsEdits.Assignment) throws(RollcallError) {
        // Columns of a user, as exports call them.
        var key = FieldRole(column: mapping.key)?.rawValue ?? mapping.key
        if !SettingsRule.isKey.holds(key) {
            key = try FieldNames(settings.resolvedFields).key(of: key, in: "map") ?? key
        }
        try SettingsRule.isKey.check(key, for: "map")
        try SettingsRule.isTemplate.check(mapping.text, for: "map")
        let parts = try FieldTemplate(mapping.text).parts.map { part throws(RollcallError) -> FieldTemplate.Part in
            guard case .column(let name) = part else { return part }
            return .column(try columns.column(name, for: "map"))
        }
        // A template shows no column that is hidden now: only `publish` does.
        let template = FieldTemplate(parts)
        let resolved = ResolvedSettings(settings)
        let shown = settings.own.field(key)?.show ?? .public
        let least: FieldVisibility = FieldRole(rawValue: key)?.isMark == true ? .private : .never
        let visibility =
            asksForAccount(key, template)
            ? shown : max(least, template.columns.map { resolved.visibility(ofColumn: $0) }.reduce(shown, min))
        let isDefault = visibility == .public && settings.own.others == nil
        if let column = template.onlyColumn { renameInferredField(of: column, to: key) }
        change(key) { field in
            field.from = template.description
            field.show = isDefault ? nil : visibility
        }
    }

    /// Whether the publisher wants to show accounts, which are withheld only as long as nobody asks for them.
    private func asksForAccount(_ key: String, _ template: FieldTemplate) -> Bool {
        guard key == FieldRole.login.rawValue, settings.own.others == nil, let column = template.onlyColumn else {
            return false
        }
        let isDecided = settings.own.fields.contains { $0.show != nil && $0.source.reads(column) }
        return !isDecided && Withheld.isAccount(heading: column)
    }

    /// Gives the inferred field that reads `column` the key of the publisher's field that reads it now, so that filters
    /// and other lists keep the column.
    private mutating func renameInferredField(of column: String, to key: String) {
        let fields = settings.inferred.fields
        let isRead = { (field: FieldSettings) in field.onlyColumn?.folded == column.folded }
        guard let index = fields.firstIndex(where: isRead), settings.inferred.field(key) == nil else { return }
        let old = fields[index].key
        settings.inferred.fields[index].key = key
        for (_, list, _) in Settings.lists {
            settings.inferred[keyPath: list] = settings.inferred[keyPath: list]?.map { $0 == old ? key : $0 }
        }
    }

    /// Throws if a template combines public columns with hidden ones: its field would be as hidden as they are.
    func checkTemplates(of edits: SettingsEdits, published: [String]) throws(RollcallError) {
        for mapping in edits.map {
            let template = FieldTemplate(mapping.text)
            var others = settings
            others.own.fields.removeAll { $0.from == template.description && $0.key == mapping.key }
            let columns = ResolvedSettings(others).split(template.columns)
            let hidden = template.columns.lacking(in: published + columns.shown)
            guard let column = hidden.first, hidden.count < template.columns.count else { continue }
            let reason = columns.leftOut.contains(column) ? "not stored" : "shown to nobody"
            throw RollcallError(
                """
                map: expected a template of public columns, found "\(mapping.text)" with the column \(column), \
                which is \(reason); publish that column, or leave it out of the template
                """)
        }
    }

    /// Makes `names` public, and everything else `never`.
    mutating func only(_ names: [String]) throws(RollcallError) {
        let wanted = try names.map { name throws(RollcallError) in try columns(name, for: "only") }.flatMap(\.self)
        let folded = Set(wanted.map { $0.folded })
        for field in settings.resolvedFields {
            let isWanted = { (column: String) in folded.contains(column.folded) }
            if field.source.columns.contains(where: isWanted) {
                let source = field.source.keeping(isWanted)
                change(field.key) { settings in
                    if source != field.source { settings.from = source.description }
                    settings.show = .public
                }
            } else if settings.own.field(field.key) != nil {
                change(field.key) { settings in settings.show = .never }
            }
        }
        for column in wanted where !isRead(column) { add(column, .public) }
        settings.own.others = .never
    }

    /// Sets the visibility of the column `name`. If the column is hidden, templates that combine it with others lose
    /// it.
    mutating func show(_ name: String, _ visibility: FieldVisibility, for option: String) throws(RollcallError) {
        for column in try columns(name, for: option) {
            for field in settings.resolvedFields where field.source.reads(column) {
                if field.source.onlyColumn != nil || visibility == .public {
                    change(field.key) { settings in settings.show = visibility }
                } else {
                    let source = field.source.keeping { $0.folded != column.folded }
                    change(field.key) { settings in settings.from = source.description }
                }
            }
            if !isRead(column) { add(column, visibility) }
        }
    }

    mutating func label(_ label: SettingsEdits.Assignment) throws(RollcallError) {
        let key = try field(label.key, for: "label")
        try SettingsRule.isLabel.check(label.text, for: "label")
        change(key) { field in field.label = .text(label.text) }
    }

    mutating func icon(_ icon: SettingsEdits.Assignment) throws(RollcallError) {
        let key = try field(icon.key, for: "icon")
        let names = SettingsLimits.icons
        let question = Suggestion.question(icon.text, in: names)
        try expect(
            names.contains(icon.text),
            "icon: expected one of \(names.joined(separator: ", ")), found \"\(icon.text)\"\(question)")
        change(key) { field in field.icon = icon.text }
    }

    mutating func key(_ names: [String]) throws(RollcallError) {
        let key = try names.map { name throws(RollcallError) in try columns.column(name, for: "key") }
        settings.own.key = try key.distinct(in: "key")
    }

    /// Returns the column called `name`, or the columns of the field with that key, or the column that is not in this
    /// file, but that a field reads.
    private func columns(_ name: String, for option: String) throws(RollcallError) -> [String] {
        let fields = settings.resolvedFields
        let known =
            columns.column(name).map { [$0] } ?? fields.first { $0.key == name }?.source.columns
            ?? fields.flatMap(\.source.columns).column(name).map { [$0] }
        if let known { return known }
        return [try columns.column(name, for: option)]
    }

    /// Returns the key of the field or the column of users that is called `key`.
    private func field(_ key: String, for option: String) throws(RollcallError) -> String {
        let fields = settings.resolvedFields
        if let found = try FieldNames(fields).key(of: key, in: option) { return found }
        if FieldRole.columnsOfExports.contains(where: { $0.rawValue == key }) { return key }
        throw RollcallError("\(option): \(Suggestion.unknownField(key, in: fields.map(\.key)))")
    }

    private func isRead(_ column: String) -> Bool {
        settings.resolvedFields.contains { field in
            field.source.onlyColumn?.folded == column.folded
                || field.visibility == .public && field.source.reads(column)
        }
    }

    private mutating func add(_ column: String, _ visibility: FieldVisibility) {
        var keys = settings.resolvedFields.map(\.key)
        // A git history has a login and an account: the first one is the login, although no field reads it.
        if let login = columns.column("login"), login.folded != column.folded { keys.append("login") }
        let key = FieldKey.unique(column, among: keys)
        change(key) { field in (field.from, field.show) = (column, visibility) }
    }

    /// Changes the publisher's settings of the field `key`, and adds them if they are missing. A field that was not
    /// public keeps its visibility unless `body` changes it.
    private mutating func change(_ key: String, _ body: (inout FieldSettings) -> Void) {
        let isNew = settings.own.field(key) == nil
        let known = isNew ? settings.resolvedFields.first { $0.key == key && $0.visibility != .public } : nil
        settings.own.fields.change(key) { field in
            field.show = known?.visibility ?? field.show
            body(&field)
        }
    }
}

extension DirectorySettings {
    /// Removes hidden fields from the publisher's lists. In lists that `edits` sets now, such fields are errors.
    mutating func forgetHiddenFields(exceptIn edits: Settings) {
        let fields = resolvedFields
        var hidden = Set(fields.filter { $0.visibility != .public }.map(\.key))
        // Hidden last names have no order. If the directory has no last names at all, the order is an error.
        let surnames = fields.filter(\.isSurname)
        if !surnames.isEmpty, surnames.allSatisfy({ hidden.contains($0.key) }) { hidden.insert("surname") }
        for (_, list, _) in Settings.lists where edits[keyPath: list] == nil {
            own[keyPath: list]?.removeAll { hidden.contains($0) }
        }
        if edits.order == nil, let order = own.order, hidden.contains(String(order.prefix { $0 != ":" })) {
            own.order = nil
        }
    }

    /// Checks that there are not too many fields, that the publisher's lists name fields that exist and have a suitable
    /// type, and that no field shows a column that another one hides.
    public func check() throws(RollcallError) {
        if let fault { throw RollcallError(fault) }
    }

    private var fault: String? {
        let stored = own.fields.count { $0.show != .never }
        if stored > SettingsLimits.fields {
            return "fields: expected at most \(SettingsLimits.fields) fields, found \(stored)"
        }
        if let field = own.fields.first(where: { !SettingsRule.isKey.holds($0.key) }) {
            let question = Suggestion.question(field.key, in: resolvedFields.map(\.key))
            return "fields: expected \(SettingsRule.isKey.expected), found \"\(field.key)\"\(question)"
        }
        let resolved = ResolvedSettings(self)
        for (member, list, use) in Settings.lists {
            let faults = (own[keyPath: list] ?? []).lazy.compactMap { resolved.fault(of: $0, for: use) }
            if let fault = faults.first { return "\(member): \(fault)" }
        }
        if let order = own.order {
            let parts = order.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2, parts[1] != "desc" { return "order: expected KEY or KEY:desc, found \"\(order)\"" }
            if let fault = resolved.fault(of: String(parts[0]), for: .sort) { return "order: \(fault)" }
        }
        return resolved.contradiction
    }
}

extension ResolvedSettings {
    /// Returns why `key` may not stand in a list for `use`; `nil` if it may.
    fileprivate func fault(of key: String, for use: FieldUse) -> String? {
        let orders = use.orders.filter { $0 != "surname" || shown.fields.contains(where: \.isSurname) }
        if orders.contains(key) || use == .search && ["login", "name"].contains(key) { return nil }
        if use.orders.contains(key) {
            return "\"surname\" needs a public field last_name or reading, such as --map last_name=COLUMN"
        }
        guard let field = fields.first(where: { $0.key == key }) else {
            let keys = shown.fields.filter { use.permits($0.type) }.map(\.key)
            return Suggestion.unknownField(key, in: orders + keys.filter { !orders.contains($0) })
        }
        if field.visibility != .public {
            return "expected a public field, found \"\(key)\", which is \(field.visibility.rawValue)"
        }
        if use.permits(field.type) { return nil }
        return "expected \(use.expected), found \"\(key)\", which is a \(field.type.rawValue)"
    }

    /// What is wrong if a field shows a column that another one keeps private or does not store.
    fileprivate var contradiction: String? {
        for hidden in fields where hidden.visibility != .public {
            for column in hidden.source.columns {
                let shown = fields.first { $0.visibility > hidden.visibility && $0.source.reads(column) }
                guard let shown else { continue }
                return """
                    field "\(hidden.key)": expected to be \(shown.visibility.rawValue), because "\(shown.key)" reads \
                    the same column, \(column); found \(hidden.visibility.rawValue)
                    """
            }
        }
        return nil
    }
}

/// The use of a list of fields.
enum FieldUse {
    case show, search, filter, sort

    /// The keys of orders that are not fields, if the list has orders.
    fileprivate var orders: [String] { self == .sort ? FieldOrder.builtIn : [] }

    fileprivate func permits(_ type: FieldType) -> Bool {
        switch self {
        case .show: true
        case .search, .filter: type != .link
        case .sort: [.text, .number, .date].contains(type)
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
