import ArgumentParser
import People
import Publishing

/// The options for which columns are stored, and who may see them. Like ``FieldOptions``, they change the settings.
struct ColumnOptions: ParsableArguments {
    @Option(value: "columns", help: "Store and publish these columns and no others; separated by commas, repeatable.")
    var only: [String] = []

    @Option(value: "columns", help: "Do not store these columns, and erase their stored values.")
    var drop: [String] = []

    @Option(value: "columns", help: "Store these columns, but show them to nobody.")
    var keep: [String] = []

    @Option(value: "columns", help: "Publish these columns, even those withheld by default, such as e-mail addresses.")
    var publish: [String] = []

    @Option(
        value: "key=template",
        help: """
            Read a field from a column or a template, such as title=Position or name="{First} {Last}"; repeatable.
            """)
    var map: [String] = []

    @Flag(help: "List everybody, also people who have left as a column says; later imports do, too.")
    var allPeople = false

    @Option(
        value: "column=value",
        help: """
            List only people with this value, such as Status=Active or Austritt= (nothing in it); repeatable. Holds for \
            later imports, too.
            """)
    var onlyWhere: [String] = []

    fileprivate func add(to edits: inout SettingsEdits) throws {
        edits.only = only.isEmpty ? nil : only
        (edits.drop, edits.keep, edits.publish) = (drop, keep, publish)
        try expect(
            !allPeople || onlyWhere.isEmpty, "--all-people: expected no --only-where, which lists some people")
        let rules = try onlyWhere.map { text in
            let (column, value) = try nameAndValue(text, of: "--only-where", as: "COLUMN=VALUE")
            return LeaveOutRule(column: column.trimmed, .differs(value.trimmed)).text
        }
        if allPeople || !rules.isEmpty { edits.set.leaveOut = rules }
        for text in map {
            let mapping = try assignment(text, of: "--map")
            if let earlier = edits.map.first(where: { $0.key == mapping.key })?.text {
                throw ValidationError(
                    """
                    --map: expected one column or template for \(mapping.key), found "\(earlier)" and \
                    "\(mapping.text)"
                    """)
            }
            edits.map.append(mapping)
        }
    }
}

struct KeyOptions: ParsableArguments {
    @Option(
        value: "column",
        help: "Know people by this column, or by several together. Rows without a value are matched by name.")
    var key: [String] = []

    @Flag(
        help: """
            If people are known by another key than before, take over those whose name occurs in one row only. With the \
            handle of a person who is gone, --adopt HANDLE: the new person of the same name is that one.
            """)
    var adopt = false

    /// `--adopt HANDLE`: see ``Arguments/spelledOut(_:)``.
    @Option(name: .customLong("adopt-handle"), parsing: .unconditionalSingleValue, help: .private)
    var adoptedHandles: [String] = []
}

/// The options for where fields are shown, searched, filtered and sorted by.
struct FieldOptions: ParsableArguments {
    @Option(value: "keys", help: "The fields in rows of lists, at most \(SettingsLimits.rows).")
    var rows: String?

    @Option(value: "keys", help: "The fields on cards, at most \(SettingsLimits.cards).")
    var cards: String?

    @Option(value: "keys", help: "The searched fields, at most \(SettingsLimits.search).")
    var search: String?

    @Option(value: "keys", help: "The fields that people can be filtered by, at most \(SettingsLimits.filters).")
    var filters: String?

    @Option(value: "keys", help: "The orders that readers can choose, at most \(SettingsLimits.sorts).")
    var sorts: String?

    @Option(
        value: "key[:desc]",
        help: "The default order: place (as in the file), id, login, name, surname or a field in --sorts.")
    var order: String?

    @Option(value: "key=text", help: "The label of a field; repeatable.")
    var label: [String] = []

    @Option(value: "key=name", help: "The icon of a field; repeatable.")
    var icon: [String] = []

    @OptionGroup var spoken: LanguageOption

    /// Adds the changes that the options ask for. Those of columns are added later.
    fileprivate func add(to edits: inout SettingsEdits) throws {
        let lists = ["rows": rows, "cards": cards, "search": search, "filters": filters, "sorts": sorts]
        let texts = ["order": order, "language": spoken.language].compactMapValues { $0.map(JSONLine.string) }
        let members = lists.compactMapValues { $0.map { JSONLine.array(SettingsEdits.keys($0)) } }
        edits.set = try checked("--") { try SettingsFile(members: members.merging(texts) { $1 }).settings.own }
        edits.labels = try label.map { try assignment($0, of: "--label") }
        edits.icons = try icon.map { try assignment($0, of: "--icon") }
    }
}

struct SettingsFileOption: ParsableArguments {
    @Option(
        value: "file",
        help: """
            A file with settings, as `rollcall directories settings` prints them. It changes what it names; other options \
            change the result.
            """,
        completion: .file(extensions: ["json"]))
    var settings: String?

    @OptionGroup var replacement: ReplaceOption

    var source: SettingsSource? {
        get throws {
            try expect(settings != "-", "--settings: expected a file, found standard input")
            return try settings.map(SettingsSource.init)
        }
    }
}

extension SettingsEdits {
    init(_ fields: FieldOptions, _ columns: ColumnOptions, key: [String] = []) throws {
        self.init()
        try fields.add(to: &self)
        try columns.add(to: &self)
        self.key = key.isEmpty ? nil : key
    }
}

private func assignment(_ text: String, of option: String) throws -> SettingsEdits.Assignment {
    let (key, text) = try nameAndText(text, of: option, as: "KEY=TEXT")
    return SettingsEdits.Assignment(key: key, text: text)
}
