import People

extension User {
    /// A user whose record has the type of the account.
    init(id: Int64, login: String, name: String? = nil, type: String, more: String? = nil) {
        let members = more.map { "," + $0.dropFirst() } ?? "}"
        self.init(id: id, login: login, name: name, more: "{\"type\":\"\(type)\"\(members)")
    }
}
