import Base

/// The values of a record by their names, in the order in which they come: what a reader makes of an entry that is
/// neither JSON nor a row.
struct NamedValues {
    /// A member with `isList` is a list even if it has one value.
    private(set) var members: [(name: String, values: [String], isList: Bool)] = []

    var isEmpty: Bool { members.isEmpty }

    /// The values called `name`; `nil` if there are none.
    subscript(name: String) -> [String]? { members.first { $0.name == name }?.values }

    /// Adds those of `values` that are not empty to those of the same name.
    mutating func add(_ name: String, _ values: [String], isList: Bool = false) {
        let values = values.filter { !$0.isEmpty }
        if values.isEmpty { return }
        // At most 100 values, more than any real person has.
        if let index = members.firstIndex(where: { $0.name == name }) {
            members[index].values += values.prefix(max(0, 100 - members[index].values.count))
            members[index].isList = members[index].isList || isList
        } else if members.count < RecordLimits.columns {
            members.append((name, Array(values.prefix(100)), isList))
        }
    }

    /// Appends a JSON object. Several values of one name are a list.
    func append(to buffer: ByteBuffer) {
        buffer.append(UInt8(ascii: "{"))
        for (index, member) in members.enumerated() {
            if index > 0 { buffer.append(UInt8(ascii: ",")) }
            buffer.append(jsonString: member.name)
            buffer.append(UInt8(ascii: ":"))
            if member.isList || member.values.count > 1 {
                buffer.append(jsonStrings: member.values)
            } else {
                buffer.append(jsonString: member.values[0])
            }
        }
        buffer.append(UInt8(ascii: "}"))
    }
}

extension ByteBuffer {
    /// Appends a JSON array of texts.
    func append(jsonStrings texts: [String]) {
        append("[")
        for (index, text) in texts.enumerated() {
            if index > 0 { append(",") }
            append(jsonString: text)
        }
        append("]")
    }
}
