import Base
import Server

/// The parameters of a request, decoded once for everything that reads some of them.
struct QueryItems: Sendable {
    struct Item: Sendable {
        let name: String
        /// `nil` if the value is not UTF-8, or has a zero byte.
        let value: String?
    }

    private(set) var all: [Item] = []

    /// The parameters of a command.
    init(_ parameters: [(name: String, value: String)]) {
        all = parameters.map { Item(name: $0.name, value: $0.value) }
    }

    /// Decodes a query. Parameters whose name is not UTF-8 are left out.
    init(_ query: UnsafeRawBufferPointer?, scratch: ByteBuffer) {
        guard let query else { return }
        var all: [Item] = []
        forEachQueryItem(in: query) { name, value in
            guard let name = scratch.decodedText(name, plusIsSpace: true) else { return }
            all.append(Item(name: name, value: scratch.decodedText(value, plusIsSpace: true)))
        }
        self.all = all
    }
}
