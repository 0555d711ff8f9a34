import Base
import People
import Publishing

/// The users that imports into one directory skip, because they were forgotten.
///
/// The database stores hashes under a key of its own: of the login, for this directory or for all; of the user's id in
/// this directory; of the name if the login was made from it; of the identities of a person without an id; and of all
/// handles, so that no other user gets them. Somebody who has the database can check whether a given login was
/// forgotten, but cannot list the forgotten logins.
struct SuppressionList {
    private let keys: Keys
    private var logins: Set<Int64> = []
    private var ids: Set<Int64> = []

    /// Reads the whole list. Call this in a transaction.
    init(for slug: Slug, from connection: any StoreConnection) throws {
        keys = try Keys(slug, from: connection)
        try connection.forEach("SELECT login, id FROM forgotten") { row in
            logins.insert(row.number(0))
            ids.insert(row.number(1))
        }
    }

    var isEmpty: Bool { logins.isEmpty }

    /// Whether a hash is among those of logins. Without any, it is not computed.
    private func has(_ hash: @autoclosure () -> Int64) -> Bool { !logins.isEmpty && logins.contains(hash()) }

    func has(_ record: UserToWrite, in bytes: UnsafeRawBufferPointer) -> Bool {
        let login = bytes[record.foldedLogin]
        return has(keys.login(login, everywhere: true)) || has(keys.login(login, everywhere: false))
            || hasID(record.id)
    }

    /// Whether a forgotten user without a login had the name of `record`, which has neither a login nor an id of its
    /// own that would stay the same if the record changed.
    ///
    /// - Parameter key: The columns of the key, if the record has a value in it. Then namesakes are others than those
    ///   who were known by the same key.
    func hasName(of record: UserToWrite, _ bytes: UnsafeRawBufferPointer, key: [String]?) -> Bool {
        if isEmpty { return false }
        let name = SearchedText(bytes[record.text], exact: bytes[record.exact]).foldedName
        guard !name.isEmpty, has(keys.name(name)) else { return false }
        return key.map { !has(keys.name(name, knownBy: $0)) } ?? true
    }

    /// Whether a forgotten person had this name, and nobody else did, so that the relations of others to the person are
    /// cleared.
    func hasRelation(to name: String) -> Bool { has(keys.relation(to: name)) }

    func hasID(_ id: Int64) -> Bool { !ids.isEmpty && ids.contains(keys.id(id)) }

    func hasIdentity(_ hash: IdentityTable.Hash) -> Bool {
        has(keys.identity(hash)) || has(keys.identity(exactly: hash)) || has(keys.identityEverywhere(hash))
    }

    /// Whether a forgotten person had this handle, which no other user gets.
    func hasHandle(_ handle: String) -> Bool { has(keys.handle(handle)) }

    /// Whether an address of an import belongs to a forgotten user: it ends with the login.
    func isNamed(by address: String) -> Bool {
        address.split(separator: "/").last?.removingPercentEncoding.map(hasLogin) ?? false
    }

    func hasLogin(_ login: String) -> Bool {
        [true, false].contains { has(keys.login(folding: login, everywhere: $0)) }
    }

    /// The keys under which logins, ids and names are hashed. Hashes identify users only to somebody who knows the
    /// user.
    struct Keys {
        private typealias Key = (UInt64, UInt64)
        private let ofLoginsEverywhere: Key
        private let ofLogins: Key
        private let ofIDs: Key
        private let ofNames: Key
        private let ofIdentities: Key
        private let ofIdentitiesEverywhere: Key
        private let ofHandles: Key
        private let ofRelations: Key

        /// Derives the keys of one directory, or of all directories if `slug` is `nil`.
        init(_ slug: Slug?, from connection: any StoreConnection) throws {
            let name = try slug.map { try Self.name(of: $0, in: connection) } ?? ""
            let key = try connection.secret("forgettingKey")
            // No other use begins with a line feed.
            let derived = { (use: String) in
                use.withBytes { use in
                    (SipHash.hash(use, key: key), SipHash.hash(use, key: (~key.0, ~key.1)))
                }
            }
            ofLoginsEverywhere = derived("")
            ofLogins = derived("login\n\(name)")
            ofIDs = derived("id\n\(name)")
            ofNames = derived("name\n\(name)")
            ofIdentities = derived("identity\n\(name)")
            ofIdentitiesEverywhere = derived("identity\n")
            ofHandles = derived("handle\n\(name)")
            ofRelations = derived("relation\n\(name)")
        }

        /// Returns the name that a directory had when its users were forgotten. The hashes cannot be computed again
        /// from themselves, so they keep depending on that name.
        private static func name(of slug: Slug, in connection: any StoreConnection) throws -> String {
            try connection.first("SELECT name FROM forgottenName WHERE slug = ?", slug.text) { $0.text(0) } ?? slug.text
        }

        /// Passes the forgotten users of directory `old` on to `new`. A later directory with the old slug does not get
        /// them.
        static func rename(_ old: Slug, to new: Slug, in connection: any StoreConnection) throws {
            let name = try name(of: old, in: connection)
            // No slug contains a line feed.
            let fresh = "\(old.text)\n\(String(UInt64.random(in: 0 ... .max), radix: 16))"
            for (slug, name) in [(old.text, fresh), (new.text, name)] {
                try connection.run(
                    """
                    INSERT INTO forgottenName (slug, name) VALUES (?, ?)
                    ON CONFLICT (slug) DO UPDATE SET name = excluded.name
                    """, slug, name)
            }
        }

        func login(_ login: UnsafeRawBufferPointer, everywhere: Bool) -> Int64 {
            hash(login, everywhere ? ofLoginsEverywhere : ofLogins)
        }

        func login(folding login: String, everywhere: Bool) -> Int64 {
            let buffer = ByteBuffer()
            let folded = buffer.append(folding: login)
            return self.login(buffer.bytes[folded], everywhere: everywhere)
        }

        func name(_ name: UnsafeRawBufferPointer) -> Int64 { hash(name, ofNames) }

        /// Returns the hash that exempts people who are known by another value of the same key as a forgotten one of
        /// their name.
        func name(_ name: UnsafeRawBufferPointer, knownBy key: [String]) -> Int64 {
            let text = ByteBuffer()
            text.append(name)
            for column in key { text.append(utf8: "\n\(column.folded)") }
            return hash(text.bytes, ofNames)
        }

        /// Returns the hash of the values of an identity, whatever tells people apart who share them.
        func identity(_ hash: IdentityTable.Hash) -> Int64 { self.hash(hash.value, ofIdentities) }

        func identityEverywhere(_ hash: IdentityTable.Hash) -> Int64 { self.hash(hash.value, ofIdentitiesEverywhere) }

        /// Returns the hash of one of several people with the same values.
        func identity(exactly hash: IdentityTable.Hash) -> Int64 {
            hash.withBytes { self.hash($0, ofIdentities) }
        }

        private func hash(_ bytes: UnsafeRawBufferPointer, _ key: Key) -> Int64 {
            Int64(bitPattern: SipHash.hash(bytes, key: key))
        }

        private func hash(_ number: Int64, _ key: Key) -> Int64 {
            withUnsafeBytes(of: number.littleEndian) { hash($0, key) }
        }

        /// Returns the hash of the name that relations of others have, in any order of its words.
        func relation(to name: String) -> Int64 { NameFinder.key(of: name).withBytes { hash($0, ofRelations) } }

        func handle(_ handle: String) -> Int64 { handle.withBytes { hash($0, ofHandles) } }

        func id(_ id: Int64) -> Int64 { hash(id, ofIDs) }
    }
}
