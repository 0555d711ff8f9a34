import Base
import Indexes
import People

extension SearchedText {
    /// A text whose loose form alone is known or needed.
    init(_ bytes: UnsafeRawBufferPointer) {
        self.init(bytes, exact: .empty)
    }
}

extension NGram {
    /// The tag of texts that have variants: see ``SearchedText/hasVariants``. No filter has its kind.
    static let hasVariants = NGram(tag: 1, ofKind: NGram.maxTag)
}
