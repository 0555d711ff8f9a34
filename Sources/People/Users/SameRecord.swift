import Base

// Exports have the members that are columns of their own before the others, and tables have texts only.

extension UnsafeRawBufferPointer {
    /// Whether two records have the same members with the same texts, in any sequence.
    public func isSameRecord(as other: UnsafeRawBufferPointer) -> Bool {
        let (members, others) = (sortedMembers, other.sortedMembers)
        return members.count == others.count
            && zip(members, others).allSatisfy { $0.key.raw.equals($1.key.raw) && $0.value.hasSameText(as: $1.value) }
    }

    /// The members of the object that this text is, by name; none if it is not an object.
    private var sortedMembers: [(key: JSONString, value: JSONValue)] {
        var members: [(key: JSONString, value: JSONValue)] = []
        try? JSON.forEachMember(of: self) { members.append(($0, $1)) }
        return members.sorted { $0.key.raw.lexicographicallyPrecedes($1.key.raw) }
    }
}

extension JSONValue {
    /// Whether only the notation differs from that of `other`: that of a number, or that of a number or a list that
    /// became a text, as in a table. A text that a workbook had to cut is the same, too.
    public func hasSameText(as other: JSONValue) -> Bool {
        if raw.equals(other.raw) { return true }
        guard string != nil || other.string != nil else { return int64 != nil && int64 == other.int64 }
        let (own, text) = (textInTables, other.textInTables)
        return own == text || WorkbookExport.isCut(text, of: own)
    }

    private var textInTables: String { String(writing: { append(textTo: $0, separator: ";") }) }
}
