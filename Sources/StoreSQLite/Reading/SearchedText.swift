import Directories

/// The searched text of a user: the folded login, or nothing if it is generated; the folded name; and a
/// line for each value of a searched field. The order by login compares a part of it.
struct SearchedText {
    /// The folded login. A generated one is truncated as in orders.
    let login: UnsafeRawBufferPointer
    let name: UnsafeRawBufferPointer

    /// `keys` are the ``OrderKeys`` of the same user.
    init(_ text: UnsafeRawBufferPointer, keys: UnsafeRawBufferPointer) {
        let end = text.firstIndex(of: UInt8(ascii: "\n")) ?? text.count
        let rest = UnsafeRawBufferPointer(rebasing: text[min(end + 1, text.count)...])
        name = UnsafeRawBufferPointer(rebasing: rest[..<(rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.count)])
        if end == 0, case .text(let key) = keys.orderKey(at: OrderKeys.loginPosition) {
            login = key
        } else {
            login = UnsafeRawBufferPointer(rebasing: text[..<end])
        }
    }

    var loginKey: UnsafeRawBufferPointer { login.sortText }
}
