import Publishing

/// The authors and co-authors of a git repository, with the number of commits as reputation. Honours mailmap.
///
/// One address is one user, and so is one name of two words or more. Only commits that HEAD reaches count. Addresses
/// only identify people: the store keeps hashes of them under a secret of the database, and names that are addresses
/// are cut off at the `@`.
public struct GitSource: ImportSource {
    private let place: Place
    private let options: Options
    private let request: ImportRequest

    /// The choices of a publisher.
    public struct Options: Sendable {
        /// Whether people in `Co-authored-by` trailers count.
        public var countsCoAuthors = true
        /// Whether one name of two words or more is one person, whatever the addresses.
        public var joinsNames = true
        /// Domains of no-reply addresses that name accounts, besides those of GitHub and GitLab:
        /// `users.noreply.git.example.org`.
        public var accountDomains: [String] = []

        public init() {}
    }

    /// Where the repository is.
    public enum Place: Sendable {
        /// A folder, and whether it fetches before each import.
        case folder(String, isFetched: Bool)
        /// An address, and the folder of clones in which the history is kept from one import to the next.
        case address(GitAddress, cache: String)
    }

    public init(_ place: Place, options: Options = Options(), request: ImportRequest = ImportRequest()) {
        self.place = place
        self.options = options
        self.request = request
    }

    public func read(into sink: ImportSink) throws {
        let repository =
            switch place {
            case .folder(let path, let isFetched): try GitRepository(path: path, isFetched: isFetched, sink)
            case .address(let address, let cache): try GitRepository(address, cache: cache, sink)
            }
        if try GitProcess(["rev-parse", "--is-shallow-repository"], of: repository).text() == "true" {
            sink.note("\(repository.name) is a shallow clone: only part of the history is counted")
        }
        // Mailmap applies to %aN and %aE, and not to %ae. Names contain neither NUL nor line feed.
        let trailers =
            options.countsCoAuthors ? "%x00%(trailers:key=Co-authored-by,valueonly,unfold,separator=%x01)" : ""
        let format = "--format=tformat:%aN%x00%aE%x00%at%x00%ae\(trailers)"
        let log = try GitProcess(["log", "--use-mailmap", format, repository.revision, "--"], of: repository)
        var authors = GitAuthors(domains: GitAccount.domains + options.accountDomains.map { $0.lowercased() })
        try log.forEachLine { authors.add(line: $0) }
        if !authors.contacts.isEmpty {
            // `%aN` does not apply to trailers.
            let mailmap = try GitProcess(["check-mailmap", "--stdin"], input: authors.contacts, of: repository)
            var mapped: [String] = []
            try mailmap.forEachLine { mapped.append(String(decoding: $0, as: UTF8.self)) }
            authors.addCoAuthors(mapped)
        }
        let schema = try request.schema(of: .git)
        sink.begin(schema)
        sink.decoder = RecordDecoder(names: ColumnNames(schema))
        let (people, joined) = authors.people(joining: options.joinsNames)
        report(authors.unreadable, joined, to: sink)
        for (index, person) in people.enumerated() {
            try person.record.withBytes {
                try sink.take(.object($0, addresses: person.addresses), at: "author \(index + 1)")
            }
        }
    }

    private func report(_ unreadable: Int, _ joined: GitAuthors.Joined, to sink: ImportSink) {
        sink.note(
            unreadable, "Co-authored-by trailer names no address and does not count",
            "Co-authored-by trailers name no address and do not count")
        let cause = "left out, because the only name is an address"
        sink.note(joined.nameless, "author \(cause)", "authors \(cause)")
        if let example = joined.example {
            sink.note(
                "joined by account or name: \(joined.people) \(joined.people == 1 ? "person" : "people") with several addresses, "
                    + "for example \(example.name) (\(example.addresses)); --no-join keeps them apart, and a .mailmap "
                    + "says who is who")
        }
    }
}
