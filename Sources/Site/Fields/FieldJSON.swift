import Base
import People

extension ByteBuffer {
    /// Appends the object with a user's typed fields, in the order of the settings, without those that have no value.
    /// - Parameter indexes: the fields, as indexes of the settings'.
    func append(_ indexes: [Int], from reader: FieldReader) {
        var object = ObjectWriter(self)
        for index in indexes {
            guard let value = reader.value(of: index) else { continue }
            object.start(escaping: reader.settings.fields[index].key)
            append(value)
        }
        object.close()
    }

    /// Appends a value as JSON: a date in ISO 8601, a link as its URL, a list as an array.
    func append(_ value: FieldValue) {
        switch value {
        case .text(let text): append(jsonString: text)
        case .list(let elements): append(array: elements) { $1.append(jsonString: $0) }
        case .number(let number):
            // JSON has no infinity, and most readers expect whole numbers without a fraction.
            if let whole = Int64(exactly: number) {
                append(decimal: whole)
            } else {
                append(utf8: number.isFinite ? "\(number)" : "null")
            }
        case .date(let days):
            append("\"")
            CivilTime(daysSince1970: days).appendDay(to: self)
            append("\"")
        case .link(let url, _): append(jsonString: url)
        case .boolean(let isTrue): append(isTrue ? "true" : "false")
        }
    }
}

extension GeneratedNames {
    /// The value of `generated`: the members that Rollcall made because the source lacks them.
    var json: StaticString? {
        switch self {
        case []: nil
        case .id: "[\"id\"]"
        case .login: "[\"login\"]"
        default: "[\"id\",\"login\"]"
        }
    }
}
