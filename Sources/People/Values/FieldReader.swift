import Base

/// Reads fields of users, one user at a time, in one pass over the user's columns.
///
/// A reader reuses its memory. It belongs to one thread at a time; its results are valid until the next call.
public final class FieldReader {
    public let settings: ShownSettings
    private let outlines: [FieldOutline]
    /// The numbers of ``ShownSettings/sourceColumns``.
    private let names: MemberNumbers
    // Unchecked exclusivity: each access is a single load or store, and none lasts while other code runs. A reader
    // belongs to one thread at a time.

    /// The values of the current user's columns, by the numbers of ``ShownSettings/sourceColumns``, once one is asked
    /// for.
    @exclusivity(unchecked) private var values: [JSONValue?]
    @exclusivity(unchecked) private var hasValues = false
    @exclusivity(unchecked) private var record: UserColumns<UnsafeRawBufferPointer>?
    /// The same as slices of a text, until a field is asked for: lists show most people without any.
    @exclusivity(unchecked) private var lent: (columns: UserColumns<ByteSlice>, text: UnsafeRawBufferPointer)?
    private let scratch = ByteBuffer(capacity: 256)
    private let elementScratch = ByteBuffer(capacity: 64)
    /// The elements of the current list.
    private var seen: [UnsafeRawBufferPointer] = []

    public init(_ settings: ShownSettings) {
        self.settings = settings
        outlines = settings.outlines
        names = MemberNumbers(settings.sourceColumns)
        values = Array(repeating: nil, count: names.count)
    }

    /// Begins to read the fields of `record`, whose bytes must stay valid until the next `record`.
    public func read(_ record: UserColumns<UnsafeRawBufferPointer>) {
        self.record = record
        hasValues = false
    }

    /// See ``read(_:)``. `text` must stay valid until ``forget()``.
    func read(_ columns: UserColumns<ByteSlice>, in text: UnsafeRawBufferPointer) {
        lent = (columns, text)
        (record, hasValues) = (nil, false)
    }

    private var columns: UserColumns<UnsafeRawBufferPointer>? {
        if record == nil, let lent { record = lent.columns.bytes(in: lent.text) }
        return record
    }

    private func value(ofColumn column: Int) -> JSONValue? {
        if !hasValues { readValues() }
        return values[column]
    }

    private func readValues() {
        hasValues = true
        for index in values.indices { values[index] = nil }
        guard let record = columns, !record.more.isEmpty else { return }
        var next = 0
        try? JSON.forEachMember(of: record.more) { key, value in
            if let column = names.number(of: key, next: &next), values[column] == nil { values[column] = value }
        }
    }

    /// Ends what ``read(_:in:)`` began: no field has a value.
    func forget() {
        (record, lent, hasValues) = (nil, nil, false)
    }

    /// The type of the field `index` of ``ShownSettings/fields``.
    public func fieldType(of index: Int) -> FieldType { outlines[index].type }

    /// The text of the field `index` of ``ShownSettings/fields``, without white space around it; empty if it has no
    /// value.
    public func text(of index: Int) -> UnsafeRawBufferPointer {
        let outline = outlines[index]
        scratch.removeAll()
        if let column = outline.onlyColumn {
            let text = text(ofColumn: column)
            return text.isEmpty ? columnOfUser(outline) : text
        }
        let source = settings.sources[index]
        source.template.append(to: scratch) { part, buffer in
            append(column: source.columns[part], to: buffer)
        }
        return scratch.isEmpty ? columnOfUser(outline) : scratch.bytes
    }

    /// Calls `body` with each element of a list, or else with the text, unless it is empty. Equal elements come once,
    /// except those with escapes in JSON.
    public func forEachElement(of index: Int, _ body: (UnsafeRawBufferPointer) -> Void) {
        let outline = outlines[index]
        guard outline.type == .list else {
            let text = text(of: index)
            if !text.isEmpty { body(text) }
            return
        }
        seen.removeAll(keepingCapacity: true)
        func take(_ element: UnsafeRawBufferPointer, isStable: Bool) {
            guard !element.isEmpty, !seen.contains(where: { $0.equals(element) }) else { return }
            if isStable { seen.append(element) }
            body(element)
        }
        if let column = outline.onlyColumn, let value = value(ofColumn: column), value.kind == .array {
            try? JSON.forEachElement(of: value.raw) { element in
                elementScratch.removeAll()
                let text = Self.text(of: element, elementScratch)
                take(text, isStable: elementScratch.isEmpty)
            }
            return
        }
        let text = text(of: index)
        guard let separator = settings.sources[index].separator else { return take(text, isStable: true) }
        text.forEachPart(separatedBy: separator) { take($0.trimmedText, isStable: true) }
    }

    /// The value of the field `index`, or `nil` if it has none. A text that does not fit the field's type stays a text;
    /// a link with a scheme other than http, https, mailto and tel counts as no value.
    public func value(of index: Int) -> FieldValue? {
        let type = outlines[index].type
        if type == .list {
            var elements: [String] = []
            forEachElement(of: index) { element in
                let text = String(decoding: element, as: UTF8.self)
                if !elements.contains(text) { elements.append(text) }
            }
            return elements.isEmpty ? nil : .list(elements)
        }
        let text = text(of: index)
        if text.isEmpty { return nil }
        switch type {
        case .number: if let number = FieldNumber.read(text, format(of: index)) { return .number(number) }
        case .date: if let days = FieldDate.read(text, format(of: index)) { return .date(days: days) }
        case .boolean: if let bool = FieldBoolean.read(text) { return .boolean(bool) }
        case .link:
            switch settings.sources[index].linkStyle.read(text) {
            case .link(let url, let shown): return .link(url: url, text: shown)
            case .refused: return nil
            case .text: break
            }
        case .text, .list: break
        }
        return .text(String(decoding: text, as: UTF8.self))
    }

    /// The value of the field `index` as a whole number; `nil` if it is none.
    public func wholeNumber(of index: Int) -> Int64? {
        let text = text(of: index)
        return Int64(decimalDigits: text) ?? FieldNumber.read(text, format(of: index)).flatMap(Int64.init(exactly:))
    }

    /// An integer that sorts like the value of a number or date field, or `nil` if the field has no such value.
    public func sortNumber(of index: Int) -> Int64? {
        outlines[index].type.sortNumber(text(of: index), format(of: index))
    }

    /// The sort text of the order `surname`: the last name, else the reading; the other way round in Japanese, and for
    /// a reading in Kana. Empty if neither has a value.
    public var surname: UnsafeRawBufferPointer {
        // Ideographs have no order that people know, in a directory of any language.
        if settings.surnames.count > 1, let last = settings.surnames.last {
            let text = text(of: last)
            if text.count >= 3, text[0] == 0xE3, (0x81...0x83).contains(text[1]) { return text }
        }
        for index in settings.surnames {
            let text = text(of: index)
            if !text.isEmpty { return text }
        }
        return .empty
    }

    /// Calls `body` with each line of the searched text except the login and the name.
    public func forEachSearchLine(_ body: (UnsafeRawBufferPointer) -> Void) {
        for index in settings.searched { forEachElement(of: index, body) }
    }

    /// Calls `body` with each value by which the filter `index` of ``ShownSettings/fields`` finds the user. Dates
    /// are in ISO 8601, and booleans `true` or `false`, however they are written.
    public func forEachFilterValue(of index: Int, _ body: (UnsafeRawBufferPointer) -> Void) {
        switch outlines[index].type {
        case .text, .list, .link, .number: forEachElement(of: index, body)
        case .date:
            let text = text(of: index)
            guard let days = FieldDate.read(text, format(of: index)) else { return }
            scratch.removeAll()
            CivilTime(daysSince1970: days).appendDay(to: scratch)
            body(scratch.bytes)
        case .boolean:
            guard let bool = FieldBoolean.read(text(of: index)) else { return }
            let text: StaticString = bool ? "true" : "false"
            body(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        }
    }

    private func format(of index: Int) -> String? { settings.fields[index].format }

    private func text(ofColumn column: Int) -> UnsafeRawBufferPointer {
        guard let value = value(ofColumn: column) else { return .empty }
        return Self.text(of: value, scratch)
    }

    private func append(column: Int, to buffer: ByteBuffer) {
        guard let value = value(ofColumn: column) else { return }
        elementScratch.removeAll()
        buffer.append(Self.text(of: value, elementScratch))
    }

    /// Returns the text of a column's value: the bytes of `value`, or, if they must be decoded, those of `scratch`,
    /// which must be empty.
    private static func text(of value: JSONValue, _ scratch: ByteBuffer) -> UnsafeRawBufferPointer {
        switch value.kind {
        case .string:
            guard let string = value.string else { break }
            guard string.hasEscapes else { return string.raw.trimmedText }
            string.append(to: scratch)
            return scratch.bytes.trimmedText
        case .number, .bool: return value.raw
        case .array:
            try? JSON.forEachElement(of: value.raw) { element in
                guard element.kind != .array, element.kind != .object, element.kind != .null else { return }
                if !scratch.isEmpty { scratch.append(", ") }
                if let string = element.string { string.append(to: scratch) } else { scratch.append(element.raw) }
            }
            return scratch.bytes.trimmedText
        case .object, .null: break
        }
        return .empty
    }

    /// Returns the column of a user that has the value of a field's role.
    private func columnOfUser(_ outline: FieldOutline) -> UnsafeRawBufferPointer {
        guard let role = outline.role, let record = columns else { return .empty }
        guard role == .id else { return record.text(of: role) ?? .empty }
        scratch.removeAll()
        scratch.append(decimal: record.id)
        return scratch.bytes
    }
}

extension Field {
    /// An integer that sorts like a value by which the filter of a number or date field finds users; `nil` for any
    /// other text. See ``FieldReader/sortNumber(of:)``.
    public func sortNumber(ofFilterValue text: String) -> Int64? {
        // Filters have dates in ISO 8601.
        text.withBytes { type.sortNumber($0, type == .date ? nil : format) }
    }
}

extension FieldType {
    /// An integer that sorts like a number or a date as a text of `format`; `nil` for any other text or type.
    fileprivate func sortNumber(_ text: UnsafeRawBufferPointer, _ format: @autoclosure () -> String?) -> Int64? {
        switch self {
        case .date: FieldDate.read(text, format()).map(Int64.init)
        case .number: FieldNumber.read(text, format()).map(FieldNumber.sortKey)
        default: nil
        }
    }
}
