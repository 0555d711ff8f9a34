import Base

/// Writes a record that no file has, member by member, as a JSON object. A `nil` value adds no member.
final class MadeRecord {
    private let buffer = ByteBuffer(capacity: 512)

    var text: String { "\(String(buffer))}" }

    func add(_ key: StaticString, _ text: String?) {
        if let text { add(key) { $0.append(jsonString: text) } }
    }

    func add(_ key: StaticString, _ number: Int64?) {
        if let number { add(key) { $0.append(decimal: number) } }
    }

    func add(_ key: StaticString, _ texts: [String]) {
        add(key) { $0.append(jsonStrings: texts) }
    }

    private func add(_ key: StaticString, _ append: (ByteBuffer) -> Void) {
        buffer.append(buffer.isEmpty ? "{\"" : ",\"")
        buffer.append(key)
        buffer.append("\":")
        append(buffer)
    }
}
