import People

/// The person that an address names in vain, for the error page.
struct MissingPerson: Equatable {
    /// The handle in the address.
    let asked: String
    let directory: Directory
    let isDefaultDirectory: Bool
    /// The person whose name is nearest; `nil` if no name is near.
    var nearest: SimilarPerson?
}

extension MissingPerson {
    /// Looks for the person with the nearest name.
    init(_ asked: String, in directory: Directory, isDefault: Bool, from reader: any UserReader) throws {
        self.init(asked: asked, directory: directory, isDefaultDirectory: isDefault)
        let text = String(asked.map { $0 == "-" || $0 == "_" || $0 == "." ? " " : $0 })
        guard text.utf8.count <= SearchText.maxBytes, let search = Search(text) else { return }
        nearest = try reader.suggestions(for: search, directory: directory.id, limit: 1).first
    }
}
