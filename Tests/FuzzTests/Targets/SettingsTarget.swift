import Base

@testable import People
@testable import Publishing

extension FuzzTarget {
    /// Settings, logos, headings and cells: the input is settings, then a logo, a template, and the columns of a file,
    /// with the heading in the first line and cells in the others.
    static let settings = FuzzTarget(
        name: "settings",
        words: (["rollcall", "title", "inferred", "key"] + Settings.members.map(\.name)
            + FieldSettings.members.map(\.name)).map { "\"\($0)\":" } + [
                "\"de\"", "\"#fff\"", "{A} {B}", "public", "private", "never", "date", "dmy", "1.234,5", "01.03.2019",
                "2019-03-01", "Vorname", "Nachname", "E-Mail", "姓", "部門", "a@b.example", "+49 30 1234567",
                "www.a.example",
                "javascript:", "https://", "<svg xmlns='http://www.w3.org/2000/svg'>", "<script>", "href=", "\n", "; ",
            ]
    ) { bytes in
        let parts = bytes.parts(8)
        try checkSettings(parts[0])
        try checkLogo(parts[1])
        try checkTemplate(parts[2].text)
        try checkInference(Array(parts[3...]))
        for cell in parts[3...].joined(separator: [0x0A]).split(separator: 0x0A) { try checkCell(Array(cell)) }
    }
}

/// Settings that can be read are written so that they are read as the same.
private func checkSettings(_ text: UnsafeRawBufferPointer) throws {
    guard let file = try? SettingsFile(json: text) else { return }
    let again = try? file.json.withBytes { bytes in Result { try SettingsFile(json: bytes) } }.get()
    try hold(
        again?.settings == file.settings && again?.title == file.title, "settings are read as others: \(file.json)")
    try checkPlan(file.settings)
}

private func checkPlan(_ settings: DirectorySettings) throws {
    let resolved = ResolvedSettings(settings)
    let hidden = Set(resolved.fields.filter { $0.visibility != .public }.map(\.key))
    try hold(!resolved.shown.fields.contains { hidden.contains($0.key) }, "a hidden field is shown")
    try hold(
        resolved.shown.columns.allSatisfy { resolved.visibility(ofColumn: $0) == .public }, "a hidden column is shown")
}

/// A logo that is accepted has no words of scripts outside of its texts.
private func checkLogo(_ bytes: UnsafeRawBufferPointer) throws {
    guard let logo = try? Logo(name: "logo", bytes: Array(bytes)), logo.type == "image/svg+xml" else { return }
    let text = bytes.text.lowercased()
    guard !text.contains("<!--"), !text.contains("cdata") else { return }
    try hold(!text.contains("<script") && !text.contains("<foreignobject"), "an SVG with a script: \(text)")
}

private func checkTemplate(_ text: String) throws {
    let template = FieldTemplate(text)
    guard SettingsRule.isTemplate.holds(text) else { return }
    let whole = ByteBuffer()
    template.append(to: whole) { _, buffer in buffer.append("x") }
    let columns = template.columns.count
    try hold(whole.bytes.count { $0 == UInt8(ascii: "x") } >= columns, "a template loses columns: \(text)")
    let none = ByteBuffer()
    template.append(to: none) { _, _ in }
    try hold(columns == 0 || none.isEmpty, "a template without values leaves \"\(String(none))\"")
}

/// Whatever a file has, its inferred settings are valid, and show no withheld column.
private func checkInference(_ columns: [UnsafeRawBufferPointer]) throws {
    var survey = Survey()
    for column in columns {
        let lines = column.split(separator: 0x0A).map { UnsafeRawBufferPointer(rebasing: $0).text.trimmed }
        guard let heading = lines.first?.printable, !heading.isEmpty, !survey.headings.contains(heading) else {
            continue
        }
        let cells = lines.dropFirst().filter { !$0.isEmpty }.map { SurveyedColumn.Value.text($0) }
        survey.columns.append(SurveyedColumn(heading: heading, values: cells))
        survey.records = max(survey.records, cells.count)
    }
    let settings = Inference(survey).settings
    do { try DirectorySettings(own: settings).check() } catch { throw BrokenRule(description: "inferred: \(error)") }
    try checkPlan(DirectorySettings(inferred: settings))
    let json = DirectorySettings(inferred: settings).json
    let again = try? json.withBytes { bytes in Result { try DirectorySettings(json: bytes) } }.get()
    try hold(again?.inferred == settings, "inferred settings cannot be read: \(json)")
}

/// Links have harmless schemes, and dates and numbers are the same however they are written.
private func checkCell(_ cell: [UInt8]) throws {
    let text = String(decoding: cell, as: UTF8.self)
    for heading in ["Web", "GitHub", "LinkedIn", "X", "Mastodon"] {
        guard case .link(let url, _) = text.withBytes({ LinkStyle(heading: heading).read($0) }) else { continue }
        try hold(
            url.isWebURL || url.hasPrefix("mailto:") || url.hasPrefix("tel:"), "a link from \"\(text)\" leads to \(url)"
        )
    }
    for format in [nil, "dmy", "mdy"] {
        guard let days = text.withBytes({ FieldDate.read($0, format) }) else { continue }
        let buffer = ByteBuffer()
        CivilTime(daysSince1970: days).appendDay(to: buffer)
        try hold(FieldDate.read(buffer.bytes, nil) == days, "\"\(text)\" is another day in ISO 8601, \(String(buffer))")
    }
    for format in [nil] + FieldFormat.numbers {
        guard let number = text.withBytes({ FieldNumber.read($0, format) }) else { continue }
        try hold(number.isFinite && FieldNumber.sortKey(number) > .min, "\"\(text)\" is \(number)")
    }
}
