import Assets
import Bytes
import JSON

extension Language {
    /// Returns the messages of the scripts as a JSON object, for `data-words`.
    static func scriptWords(_ text: (MessageKey) -> String) -> String {
        let buffer = ByteBuffer(capacity: 1024)
        for (name, key) in scriptKeys {
            buffer.append(buffer.count == 0 ? "{" : ",")
            buffer.append(jsonString: name)
            buffer.append(":")
            buffer.append(jsonString: text(key))
        }
        buffer.append("}")
        return String(buffer)
    }

    /// The names by which scripts know their messages.
    private static let scriptKeys: [(name: String, key: MessageKey)] = [
        ("more", .scriptMore), ("earlier", .scriptEarlier), ("of", .scriptOf), ("offline", .scriptOffline),
        ("unreachable", .scriptUnreachable), ("busy", .scriptBusy), ("problem", .scriptProblem),
        ("refused", .scriptRefused), ("findIn", .scriptFindIn), ("above", .scriptListedAbove),
        ("none", .scriptNoSuchValue), ("position", .scriptPosition), ("loading", .scriptLoadingMore),
        ("failed", .scriptNotLoaded), ("again", .tryAgain), ("people", .people),
        ("rest", .scriptRest),
    ]
}
