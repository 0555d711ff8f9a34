import Base
import People

/// People as a table for a document, such as a README: in Markdown, as HTML, or as text.
public struct PeopleTable: Sendable {
    /// A column of a row field, or of the figure.
    typealias Column = (label: String, isNumber: Bool)

    struct Person: Sendable {
        let name: String
        /// An http or https URL of the person's page at the source, and of a picture there; `nil` without one.
        let url: String?
        let picture: String?
        /// A value for each column; empty without one.
        let values: [String]
    }

    let columns: [Column]
    let people: [Person]

    /// The number of people in the table.
    public var count: Int { people.count }
}

extension PeopleTable {
    /// - Parameters:
    ///   - pictures: where pictures come from. Only those at addresses of the source can stand in a document.
    init(_ found: WallPeople, _ language: Language, pictures: PictureMode) {
        let settings = found.directory.settings
        let rows = settings.rows
        let reader = settings.makeReader()
        var hasFigures = false
        reader.forEachProfile(of: found.users) { if $1.reputation != nil { hasFigures = true } }
        var columns: [Column] = rows.map { (settings.label(of: settings.fields[$0], language), false) }
        if hasFigures { columns.append((settings.reputationLabel(language), true)) }
        self.columns = columns
        let lines = FieldLines()
        var people: [Person] = []
        reader.forEachProfile(of: found.users) { _, person in
            lines.removeAll()
            lines.append(rows, of: person, language)
            var values = rows.map { index in
                let line = lines.all.first { $0.key == settings.fields[index].key }
                return line.map { lines.text(of: $0) } ?? ""
            }
            if hasFigures { values.append(person.reputation.map { language.numbers.text(Double($0)) } ?? "") }
            people.append(
                Person(
                    name: String(person.displayName),
                    url: person.website,
                    picture: pictures != .off && person.photo.isWebURL ? String(person.photo) : nil,
                    values: values))
        }
        self.people = people
    }

    // MARK: Formats

    /// A line for each person: name, row fields and figure, separated by tabs.
    public var text: String {
        people.map { ([$0.name] + $0.values).map(\.asOneLine).joined(separator: "\t") + "\n" }.joined()
    }

    /// A table in GitHub's Markdown: name, row fields and figure.
    public var markdown: String {
        let heads = ["Name"] + columns.map(\.label.escapedForMarkdown)
        let rules = ["---"] + columns.map { $0.isNumber ? "---:" : "---" }
        let rows = people.map { person -> [String] in
            let name = person.name.escapedForMarkdown
            let cell = person.url.map { "[\(name)](<\($0.escapedForAddress)>)" } ?? name
            return [cell] + person.values.map(\.escapedForMarkdown)
        }
        return ([heads, rules] + rows).map { "| \($0.joined(separator: " | ")) |\n" }.joined()
    }

    /// A table of faces in HTML that GitHub and GitLab show in Markdown, too: no style and no script.
    /// - Parameters:
    ///   - columns: the number of faces in a row.
    ///   - size: the side of a face in CSS px.
    public func html(columns: Int, size: Int) -> String {
        var text = "<table>\n"
        for start in stride(from: 0, to: people.count, by: columns) {
            text += "<tr>\n"
            for person in people[start..<min(start + columns, people.count)] {
                text += #"<td align="center" valign="top">"# + face(person, size) + "</td>\n"
            }
            text += "</tr>\n"
        }
        return text + "</table>\n"
    }

    private func face(_ person: Person, _ size: Int) -> String {
        let picture = person.picture.map {
            #"<img src="\#($0.escapedForHTML)" width="\#(size)" height="\#(size)" alt=""><br>"#
        }
        let face = "\(picture ?? "")<sub><b>\(person.name.escapedForHTML)</b></sub>"
        return person.url.map { #"<a href="\#($0.escapedForHTML)">\#(face)</a>"# } ?? face
    }
}

extension String {
    /// The text in one line: spaces in place of line ends, tabs and other control characters.
    fileprivate var asOneLine: String {
        let parts = unicodeScalars.split { scalar in
            [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
        }
        return parts.map { String(String.UnicodeScalarView($0)) }.joined(separator: " ")
    }

    fileprivate var escapedForHTML: String {
        String(writing: { buffer in asOneLine.withUTF8Bytes { buffer.append(escapingHTML: $0) } })
    }

    /// The text with a backslash before what Markdown reads as markup (CommonMark §2.4), and with HTML escaped.
    fileprivate var escapedForMarkdown: String {
        var text = ""
        for character in asOneLine.unicodeScalars {
            switch character {
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "&": text += "&amp;"
            // GitHub makes links of addresses and of names after an @, in any place of a line.
            case "@": text += "&#64;"
            case ":": text += "&#58;"
            case "\\", "`", "*", "_", "{", "}", "[", "]", "(", ")", "#", "+", "-", ".", "!", "|", "~", "$":
                text += "\\\(character)"
            default: text.unicodeScalars.append(character)
            }
        }
        return text
    }

    /// A URL between `<` and `>` in a cell of a table: percent-encoded where it would end either.
    fileprivate var escapedForAddress: String {
        replacing("<", with: "%3C").replacing(">", with: "%3E").replacing("|", with: "%7C").replacing("\\", with: "%5C")
            .replacing("\n", with: "").replacing("\r", with: "").replacing(" ", with: "%20")
    }
}
