import Base
import NGramIndex
import People

extension SearchedText {
    /// A text whose loose form alone is known or needed.
    init(_ bytes: UnsafeRawBufferPointer) {
        self.init(bytes, exact: UnsafeRawBufferPointer(start: nil, count: 0))
    }
}

extension SavedText {
    /// The key of the order by login. It is among the ``keys`` if the login is generated.
    var loginKey: UnsafeRawBufferPointer {
        let login = searched.login
        if login.isEmpty, case .text(let key) = keys.orderKey(at: OrderKeys.loginPosition) { return key }
        return login.sortText
    }
}

extension NGram {
    /// The tag of texts that have variants: see ``SearchedText/hasVariants``. No filter has its kind.
    static let hasVariants = NGram(tag: 1, ofKind: NGram.maxTag)
}
