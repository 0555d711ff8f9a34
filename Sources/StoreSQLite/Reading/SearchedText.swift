import Directories

/// The text of a user that searches look at: folded login, a line feed, folded name. The orders by login and name
/// compare parts of it.
struct SearchedText {
    let login: UnsafeRawBufferPointer
    let name: UnsafeRawBufferPointer

    init(_ text: UnsafeRawBufferPointer) {
        let end = text.firstIndex(of: UInt8(ascii: "\n")) ?? text.count
        login = UnsafeRawBufferPointer(rebasing: text[..<end])
        name = UnsafeRawBufferPointer(rebasing: text[min(end + 1, text.count)...])
    }

    var loginKey: UnsafeRawBufferPointer { login.sortText }
    /// Users without a name are sorted by login.
    var nameKey: UnsafeRawBufferPointer { name.isEmpty ? loginKey : name.sortText }

    /// The key in the order by `key`, which is one by text.
    func key(_ key: Sort.Key) -> UnsafeRawBufferPointer { key == .login ? loginKey : nameKey }
}
