import Base
import People

/// Users to be written into a directory: all of their text in one buffer, with the values prepared that comparing,
/// searching and sorting need.
///
/// The reading thread fills a batch while another thread writes the previous one; then the batch is emptied and reused.
/// So an import of any size takes the memory of a few batches.
///
/// Unchecked: a batch belongs to one thread at a time. An import passes it, under a lock, to the reading or the writing
/// thread, and neither keeps a reference.
///
/// ```swift
/// let batch = UserBatch([User(id: 1, login: "ada"), User(id: 2, login: "grace")])
/// try writer.begin()
/// try writer.append(batch, checkpoint: nil).added  // 2
/// try writer.commit()
/// ```
public final class UserBatch: @unchecked Sendable {
    /// 2 MiB of text: 6,144 users with GitHub's data. So no batch reaches 4 GiB, the limit of a ``ByteSlice``.
    public static let maxBytes = 2 << 20

    public let buffer = ByteBuffer(capacity: 1 << 16)
    public private(set) var records: [UserToWrite] = []
    /// The number of users that were dropped because the same one came again.
    public private(set) var repeated = 0
    private var isSorted = true
    /// Whether some users are not to be written.
    public var hasLeftOut: Bool { records.contains(where: \.isLeftOut) }
    /// Whether some users have no id or handle yet, or are found by their handle.
    public private(set) var isUnresolved = false
    /// The settings of the directory, by which values for searching, sorting and filtering are derived. Set it while
    /// the batch is empty.
    public var settings = ResolvedSettings.empty {
        didSet {
            if settings === oldValue { return }
            derived = DerivedValues(settings.shown)
        }
    }
    private var derived: DerivedValues
    /// How much the records of a source say of the people who are here already.
    public enum Extent: Equatable, Sendable {
        /// All that there is to say.
        case whole
        /// The columns with these headings; others keep their saved values. A user's ``UserToWrite/more`` has an empty
        /// text for each empty cell.
        case columns([String])
        /// All but which of the names were generated, and, if it `keepsPrivate`, the private values: as exports do.
        case export(keepsPrivate: Bool)
    }
    /// Set it while the batch is empty.
    public var extent = Extent.whole {
        didSet { changedColumns = if case .columns(let headings) = extent { Set(headings.map(\.folded)) } else { nil } }
    }
    /// The folded headings of a file that changes only these columns.
    public private(set) var changedColumns: Set<String>?
    /// Whether a user with a new identity is the existing person of the same name, if only one person has that name and
    /// is identified neither by the key nor by another row of the import (`import --adopt`).
    public var adoptsByName = false

    /// The handles of people who are the same as a new record of that name (`import --adopt HANDLE`).
    public var adoptedHandles: [String] = []

    /// Whether the directory had people before the import. Those without a value in the key are then found by name.
    public var directoryHadPeople = false

    /// Users that an earlier import, or an earlier record, took for other people: they are removed, and their addresses
    /// redirect to the users who they are.
    public var merges: [(from: Int64, into: Int64)] = []

    public init(settings: ResolvedSettings = .empty) {
        self.settings = settings
        derived = DerivedValues(settings.shown)
    }

    public var isEmpty: Bool { records.isEmpty }
    /// Whether the batch should be written before more is appended.
    public var isFull: Bool { buffer.count >= Self.maxBytes }

    public func removeAll() {
        buffer.removeAll()
        records.removeAll(keepingCapacity: true)
        merges.removeAll(keepingCapacity: true)
        repeated = 0
        isSorted = true
        isUnresolved = false
    }

    /// Appends a user whose text is in ``buffer``. Derives the values for comparing, searching, sorting and filtering.
    /// A user without an id, or without a login, gets one from the store.
    public func append(_ user: UserToWrite) {
        var user = user
        derive(&user)
        if let last = records.last, last.id >= user.id { isSorted = false }
        if user.isUnresolved || changedColumns != nil { isUnresolved = true }
        records.append(user)
    }

    /// Derives the values of all users again, by other settings.
    public func derive(by settings: ResolvedSettings) {
        self.settings = settings
        for index in records.indices { derive(&records[index]) }
    }

    /// Derives the values of `user` for comparing, searching, sorting and filtering.
    public func derive(_ user: inout UserToWrite) {
        derived.derive(user, in: buffer.bytes)
        let isGenerated = user.generated.contains(.login) || user.login.isEmpty
        let start = buffer.count
        var login = isGenerated ? ByteSlice.empty : loosen(user.login)
        buffer.append(UInt8(ascii: "\n"))
        let name = loosen(user.name)
        let titlesEnd = buffer.count
        buffer.append(derived.lines.bytes)
        let variantsStart = buffer.count
        if !isGenerated { appendVariants(ofTitle: user.login, loose: login) }
        appendVariants(ofTitle: user.name, loose: name)
        for variant in derived.turnedNames { buffer.append(variant: variant.loose, mark: SearchedText.titleVariant) }
        buffer.append(derived.variants.bytes)
        user.text = ByteSlice(offset: start, count: buffer.count - start)
        let titles = ByteSlice(offset: start, count: titlesEnd - start)
        user.hasVariants = buffer.count > variantsStart
        keepFolded(&user, isGenerated: isGenerated, login: login, unlike: titles)
        if !user.exact.isEmpty { user.hasVariants = true }
        if isGenerated { login = loosen(user.login) }
        user.loginKey = cut(login)
        user.keys = buffer.keep(derived.keys.bytes)
        user.filters = buffer.keep(derived.filters.bytes)
        if isGenerated, !login.isEmpty { user.keys = keepLoginKey(user.loginKey, before: user.keys) }
    }

    /// Sets ``UserToWrite/foldedLogin`` and ``UserToWrite/exact``. `titles` are the loose login, or nothing if it is
    /// generated, a line feed and the loose name.
    private func keepFolded(_ user: inout UserToWrite, isGenerated: Bool, login: ByteSlice, unlike titles: ByteSlice) {
        let start = buffer.count
        user.foldedLogin = isGenerated ? .empty : fold(user.login)
        buffer.append(UInt8(ascii: "\n"))
        _ = fold(user.name)
        let folded = ByteSlice(offset: start, count: buffer.count - start)
        if buffer.bytes[folded].equals(buffer.bytes[titles]) {
            buffer.truncate(to: start)
            user.foldedLogin = login
            user.exact = .empty
        } else {
            user.exact = folded
        }
        if isGenerated { user.foldedLogin = fold(user.login) }
    }

    /// Appends the lines of the variants of a login or name.
    private func appendVariants(ofTitle title: ByteSlice, loose: ByteSlice) {
        let texts = buffer.bytes
        let language = derived.nameVariants.all(of: texts[title], loose: texts[loose])
        let initials = Hangul.initials(of: texts[loose])
        for variant in language { buffer.append(variant: variant, mark: SearchedText.titleVariant) }
        if let initials { buffer.append(variant: initials, mark: SearchedText.titleVariant) }
    }

    /// Gives each user an id and a handle if they are missing, in the order of the file. Removes the users for which
    /// `resolve` returns `false`, and returns their number.
    ///
    /// - Parameter all: Whether users with an id and a login are resolved, too.
    public func resolve(
        all: Bool, _ resolve: (_ index: Int, inout UserToWrite) throws -> Bool
    ) rethrows -> Int {
        var kept = 0
        for index in records.indices {
            var user = records[index]
            if all || user.isUnresolved || changedColumns != nil, try !resolve(index, &user) { continue }
            records[kept] = user
            kept += 1
        }
        let removed = records.count - kept
        records.removeLast(removed)
        isUnresolved = false
        isSorted = false
        return removed
    }

    /// What identifies a user besides the id; `nil` if nothing does.
    public func identityKind(of user: UserToWrite) -> IdentityKind? {
        buffer.bytes[user.identity].first.flatMap(IdentityKind.init)
    }

    /// The columns of the key that identifies a user; `nil` if something else does.
    public func keyColumns(of user: UserToWrite) -> [String]? {
        identityKind(of: user) == .key ? settings.stored.key : nil
    }

    /// Changes a user and derives the user's values again.
    public func update(userAt index: Int, _ body: (inout UserToWrite) -> Void) {
        body(&records[index])
        derive(&records[index])
    }

    public func set(handle: String, of user: inout UserToWrite) {
        user.login = buffer.keep(handle)
        user.generated.insert(.login)
        user.foldedLogin = fold(user.login)
        user.loginKey = cut(loosen(user.login))
        user.keys = keepLoginKey(user.loginKey, before: user.keys)
        guard user.name.isEmpty else { return }
        let keys = ByteBuffer(capacity: 256)
        derived.appendNameKey(of: user, buffer.bytes, to: keys)
        keys.append(buffer.bytes[user.keys])
        user.keys = buffer.keep(keys.bytes)
    }

    /// Appends the key of a generated login, and then `keys`, the keys of other orders.
    private func keepLoginKey(_ login: ByteSlice, before keys: ByteSlice) -> ByteSlice {
        buffer.reserve(Int(login.count) + Int(keys.count) + 32)
        let start = buffer.count
        buffer.append(orderKey: buffer.bytes[login], at: OrderKeys.loginPosition)
        buffer.append(buffer.bytes[keys])
        return ByteSlice(offset: start, count: buffer.count - start)
    }

    /// Distinguishes the last user from others of the same name by `text`.
    public func tellLastApart(by text: [UInt8]) {
        records[records.count - 1].apart = text.withUnsafeBytes { buffer.keep($0) }
    }

    /// Removes users and returns their number. Their text stays until ``removeAll()``.
    public func remove(where isGone: (UserToWrite) throws -> Bool) rethrows -> Int {
        let count = records.count
        try records.removeAll(where: isGone)
        return count - records.count
    }

    /// Counts a user who is not appended because the same one came before.
    public func noteRepeated() { repeated += 1 }

    /// Removes the users that another one of this batch replaces (``merges``): adding and merging them would count them
    /// in each import.
    public func removeMerged() {
        let ids = Set(merges.lazy.filter { $0.from != $0.into }.map(\.from))
        repeated += remove { ids.contains($0.id) }
    }

    /// Sorts the users by id, so that tables are written from one end to the other, and keeps the last user of each id.
    public func sort() {
        if isSorted { return }
        // In two steps, because sorting would move the hundred bytes of each user a dozen times.
        var order = records.indices.map { (id: records[$0].id, index: $0) }
        order.sort { ($0.id, $0.index) < ($1.id, $1.index) }
        let sorted = order.indices.lazy
            .filter { $0 + 1 == order.count || order[$0].id != order[$0 + 1].id }.map { self.records[order[$0].index] }
        let kept = Array(sorted)
        repeated += records.count - kept.count
        records = kept
        isSorted = true
    }

    // The input is in the same buffer as the output. Reserving room for the longest result keeps the buffer from
    // moving.

    private func fold(_ text: ByteSlice) -> ByteSlice {
        if text.isEmpty { return .empty }
        buffer.reserve(Int(text.count) * 4 + 8)
        return buffer.append(folding: buffer.bytes[text])
    }

    private func loosen(_ text: ByteSlice) -> ByteSlice {
        if text.isEmpty { return .empty }
        buffer.reserve(Int(text.count) * 4 + 8)
        return buffer.append(loose: buffer.bytes[text])
    }

    private func cut(_ text: ByteSlice) -> ByteSlice {
        ByteSlice(offset: Int(text.offset), count: buffer.bytes[text].sortText.count)
    }
}

extension UnsafeRawBufferPointer {
    /// Calls `body` with each value that is encoded in these bytes as ``UserToWrite/filters`` says.
    public func forEachFilterValue(_ body: (_ filter: Int, _ text: UnsafeRawBufferPointer) throws -> Void) rethrows {
        var index = 0
        while let filter = varint(at: &index), let text = counted(at: &index) { try body(Int(filter), text) }
    }
}

extension UserBatch.Extent {
    /// Whether the records are from an export in Rollcall's own layout.
    public var isExport: Bool { if case .export = self { true } else { false } }
}

extension UserBatch {
    public convenience init(_ users: some Sequence<User>) {
        self.init()
        for user in users { append(user) }
    }

    public func append(_ user: User) { append(UserToWrite(user.columns.map(buffer.keep))) }

    public func user(_ index: Int) -> User { User(records[index].columns.bytes(in: buffer.bytes)) }
}
