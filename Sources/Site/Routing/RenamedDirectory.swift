import Base
import People
import Server

/// The error of a request that names a directory by a former slug.
struct RenamedDirectory: Error {
    let old: String
    let new: Slug

    /// Returns the redirect to the target of `request` with the slug that the directory has now.
    func redirect(_ request: Request) -> HTTPError {
        let target = ByteBuffer(capacity: request.target.count + 64)
        target.append(request.target.prefix { $0 != UInt8(ascii: "?") })
        var separator = UInt8(ascii: "?")
        forEachQueryItem(in: request.query.orEmpty) { name, value in
            target.append(separator)
            separator = UInt8(ascii: "&")
            target.append(name)
            target.append("=")
            if isSlug(name, value) { target.append(utf8: new.text) } else { target.append(value) }
        }
        return .moved(
            to: String(writing: { location in target.withBytes { location.append(percentEncodingUnsafe: $0) } }))
    }

    /// Whether a parameter is the former slug. Stack Exchange's API calls directories sites.
    private func isSlug(_ name: Bytes, _ value: Bytes) -> Bool {
        old.withUTF8Bytes { value.equals($0) } && (name.equals("directory") || name.equals("site"))
    }
}
