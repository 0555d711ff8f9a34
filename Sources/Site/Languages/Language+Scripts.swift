import Assets
import Base
import JSON

extension Language {
    /// The scripts that get messages in `data-words`: those of the list, or that of the element, which has no page.
    enum Script {
        case list, element
    }

    /// Returns the messages of a script as a JSON object.
    static func words(of script: Script, _ text: (MessageKey) -> String) -> String {
        let buffer = ByteBuffer(capacity: 1024)
        for (name, key) in sharedKeys + (script == .list ? listKeys : elementKeys) {
            buffer.append(buffer.count == 0 ? "{" : ",")
            buffer.append(jsonString: name)
            buffer.append(":")
            buffer.append(jsonString: text(key))
        }
        buffer.append("}")
        return String(buffer)
    }

    /// The names by which scripts know their messages.
    private static let sharedKeys: [(name: String, key: MessageKey)] = [
        ("more", .scriptMore), ("of", .scriptOf), ("offline", .scriptOffline), ("unreachable", .scriptUnreachable),
        ("busy", .scriptBusy), ("problem", .scriptProblem), ("refused", .scriptRefused),
    ]

    private static let listKeys: [(name: String, key: MessageKey)] = [
        ("earlier", .scriptEarlier), ("findAll", .find), ("above", .scriptListedAbove), ("none", .scriptNoSuchValue),
        ("position", .scriptPosition),
    ]

    private static let elementKeys: [(name: String, key: MessageKey)] = [
        ("loading", .scriptLoadingMore), ("again", .tryAgain), ("people", .people), ("rest", .scriptRest),
    ]
}
