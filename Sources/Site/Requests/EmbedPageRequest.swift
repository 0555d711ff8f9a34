import Bytes
import Directories

/// The page that tells how to put a directory into another site.
struct EmbedPageRequest: Sendable {
    var directory: Directory
    var isDefaultDirectory: Bool

    func appendKey(to buffer: ByteBuffer) {
        buffer.append("g")
        buffer.append(decimal: directory.id)
        buffer.append(isDefaultDirectory ? "d" : " ")
    }

    /// The path of the page, or of a fragment, below the base path, as `embedding` wants it.
    func path(_ path: StaticString, _ embedding: Embedding? = nil) -> String {
        let buffer = ByteBuffer(capacity: 128)
        buffer.append(path)
        var query = QueryWriter(buffer)
        if !isDefaultDirectory { query.add("directory", directory.slug.text) }
        if let embedding { query.add("embed", embedding.rawValue) }
        return String(buffer)
    }
}
