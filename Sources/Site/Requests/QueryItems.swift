import Base
import Server

/// The parameters of a request, decoded once for everything that reads some of them.
struct QueryItems: Sendable {
    struct Item: Sendable {
        let name: String
        /// `nil` if the value is no text: not UTF-8, or with a zero byte.
        let value: String?
    }

    private(set) var all: [Item] = []

    /// Decodes a query. Parameters whose name is no text are left out: nothing has such a name.
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
