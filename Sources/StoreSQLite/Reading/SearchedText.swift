import Directories

/// What searches look at of a user, and what orders compare is part of: folded login, a line feed, folded name.
struct SearchedText {
    let login: UnsafeRawBufferPointer
    let name: UnsafeRawBufferPointer

    init(_ text: UnsafeRawBufferPointer) {
        let end = text.firstIndex(of: UInt8(ascii: "\n")) ?? text.count
        login = UnsafeRawBufferPointer(rebasing: text[..<end])
        name = UnsafeRawBufferPointer(rebasing: text[min(end + 1, text.count)...])
    }

    var loginKey: UnsafeRawBufferPointer { login.sortText }
    /// Who has no name is sorted by login.
    var nameKey: UnsafeRawBufferPointer { name.isEmpty ? loginKey : name.sortText }
}
