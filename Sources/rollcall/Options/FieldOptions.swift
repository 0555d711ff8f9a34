import ArgumentParser
import Fields
import Foundation

/// The options that say which columns are kept, who may see them, and what identifies a person.
struct ColumnOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Store and publish these columns and no others; separated by commas, repeatable.", valueName: "columns"))
    var only = Environment.string("ONLY").map { [$0] } ?? []

    @Option(help: ArgumentHelp("Do not store these columns, and erase what is stored of them.", valueName: "columns"))
    var drop = Environment.string("DROP").map { [$0] } ?? []

    @Option(help: ArgumentHelp("Store these columns, but show them to nobody.", valueName: "columns"))
    var keep = Environment.string("KEEP").map { [$0] } ?? []

    @Option(
        help: ArgumentHelp(
            "Publish these columns, even if their headings withhold them, as with e-mail addresses.",
            valueName: "columns"))
    var publish = Environment.string("PUBLISH").map { [$0] } ?? []

    @Option(
        help: ArgumentHelp(
            "Read a field from a column or a template, such as title=Position or name=\"{First} {Last}\"; repeatable.",
            valueName: "key=template"))
    var map = Environment.string("MAP").map { $0.split(separator: ",").map(String.init) } ?? []

    @Option(
        help: ArgumentHelp(
            "Know people by this column; with several, by all together. Rows without a value are rejected.",
            valueName: "column"))
    var key = Environment.string("KEY").map { [$0] } ?? []

    @Flag(help: "With a new --key, take over the people whose name occurs in one row only.")
    var adopt = false

    func validate() throws {
        var edits = SettingsEdits()
        _ = (try add(to: &edits), Environment.bool("ADOPT"))
        try Environment.check()
    }

    var isAdopting: Bool { adopt || Environment.bool("ADOPT") == true }

    /// Adds the changes that the options ask for.
    func add(to edits: inout SettingsEdits) throws {
        edits.only = only.isEmpty ? nil : only
        (edits.drop, edits.keep, edits.publish) = (drop, keep, publish)
        edits.key = key.isEmpty ? nil : key
        for text in map {
            let mapping = try assignment(text, of: "--map")
            if let earlier = edits.map.first(where: { $0.key == mapping.key }) {
                throw ValidationError(
                    """
                    --map: expected one column or template for \(mapping.key), found "\(earlier.template)" and \
                    "\(mapping.text)"
                    """)
            }
            edits.map.append(SettingsEdits.Mapping(key: mapping.key, template: mapping.text))
        }
    }
}

/// The options that say where fields are shown, searched, filtered and sorted by.
struct FieldOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The fields in rows of lists, at most \(SettingsLimits.rows).", valueName: "keys"))
    var rows: String?

    @Option(help: ArgumentHelp("The fields on cards, at most \(SettingsLimits.cards).", valueName: "keys"))
    var cards: String?

    @Option(help: ArgumentHelp("The searched fields, at most \(SettingsLimits.search).", valueName: "keys"))
    var search: String?

    @Option(
        help: ArgumentHelp("The fields that people can be filtered by, at most \(SettingsLimits.filters).", valueName: "keys"))
    var filters: String?

    @Option(help: ArgumentHelp("The orders that readers can choose, at most \(SettingsLimits.sorts).", valueName: "keys"))
    var sorts: String?

    @Option(
        help: ArgumentHelp(
            "The default order: place (as in the file), id, login, name, surname, reputation or a field in --sorts.",
            valueName: "key[:desc]"))
    var order: String?

    @Option(help: ArgumentHelp("The label of a field; repeatable.", valueName: "key=text"))
    var label = Environment.string("LABEL").map { $0.split(separator: ",").map(String.init) } ?? []

    @Option(help: ArgumentHelp("The icon of a field; repeatable.", valueName: "key=name"))
    var icon = Environment.string("ICON").map { $0.split(separator: ",").map(String.init) } ?? []

    @Option(help: ArgumentHelp("The language of names and headings, such as de.", valueName: "tag"))
    var language: String?

    @Option(
        help: ArgumentHelp(
            "A file with settings, as `rollcall directories settings` prints them; other options change them.",
            valueName: "file"),
        completion: .file(extensions: ["json"]))
    var settings: String?

    func validate() throws {
        var edits = SettingsEdits()
        try add(to: &edits)
        try Environment.check()
    }

    var settingsFile: String? { settings ?? Environment.string("SETTINGS") }

    /// Adds the changes that the options ask for.
    func add(to edits: inout SettingsEdits) throws {
        edits.rows = try keys(rows ?? Environment.string("ROWS"), "--rows", SettingsLimits.rows)
        edits.cards = try keys(cards ?? Environment.string("CARDS"), "--cards", SettingsLimits.cards)
        edits.search = try keys(search ?? Environment.string("SEARCH"), "--search", SettingsLimits.search)
        edits.filters = try keys(filters ?? Environment.string("FILTERS"), "--filters", SettingsLimits.filters)
        edits.sorts = try keys(sorts ?? Environment.string("SORTS"), "--sorts", SettingsLimits.sorts)
        edits.order = order ?? Environment.string("ORDER")
        edits.labels = try label.map { try assignment($0, of: "--label") }
        edits.icons = try icon.map { try assignment($0, of: "--icon") }
        edits.language = language ?? Environment.string("LANGUAGE")
        if let language = edits.language, !SettingsRules.isLanguage.holds(language) {
            throw ValidationError("--language: expected \(SettingsRules.isLanguage.expected), found \"\(language)\"")
        }
    }

    private func keys(_ text: String?, _ option: String, _ limit: Int) throws -> [String]? {
        guard let keys = text.map(SettingsEdits.keys) else { return nil }
        guard keys.count <= limit else {
            throw ValidationError("\(option): expected at most \(limit) fields, found \(keys.count)")
        }
        return keys
    }
}

/// The settings in the file that `--settings` names.
enum SettingsOption {
    static func read(_ path: String) throws -> SettingsFile {
        let text: Data
        do {
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            // A byte more than the limit tells that there are more.
            text = try handle.read(upToCount: SettingsLimits.fileBytes + 1) ?? Data()
        } catch { throw ValidationError("--settings: cannot read \(path): \(error.localizedDescription)") }
        do { return try text.withUnsafeBytes { try SettingsFile(json: $0) } } catch {
            throw ValidationError("--settings: \(path): \(error)")
        }
    }
}

/// Reads `key=text`.
private func assignment(_ text: String, of option: String) throws -> SettingsEdits.Assignment {
    do { return try SettingsEdits.assignment(text, of: option) } catch { throw ValidationError("\(error)") }
}
