/// A node of the tree that Chromium gives to screen readers.
struct AccessibilityNode: Decodable {
    /// Most values are strings.
    struct Value: Decodable {
        let text: String?
        private enum Key: CodingKey { case value }

        init(from decoder: any Decoder) throws {
            text = try? decoder.container(keyedBy: Key.self).decode(String.self, forKey: .value)
        }
    }

    let nodeId: String
    let ignored: Bool
    let role, name: Value?
    let childIds: [String]?
}

extension BrowserFixture {
    func accessibilityTree() throws -> [AccessibilityNode] {
        struct Tree: Decodable { let nodes: [AccessibilityNode] }
        try browser.devTools("Accessibility.enable")
        return try browser.devTools("Accessibility.getFullAXTree", as: Tree.self).nodes
    }
}
