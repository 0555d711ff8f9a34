import HTTPClient
import Publishing

/// Users from a web service, page by page. Requests the next page when the previous one is saved, together with its
/// links.
public struct ServiceSource: ImportSource {
    public struct Configuration: Sendable {
        public var retryPolicy = RetryPolicy()
        /// The maximum number of users; 0 for all.
        public var limit = 0
        /// Whether to start at the beginning, at once and without conditional requests, whatever earlier imports
        /// recorded.
        public var isFresh = false
        /// Whether unchanged pages are requested in full, because users that a run does not see are removed after it.
        public var isSeeingEverybody = false
        public var clock = ImportClock.system

        public init() {}
    }

    private let service: any Service
    private let ledger: (any ImportLedger)?
    private let request: ImportRequest
    private let configuration: Configuration
    private let makeFetch: @Sendable () throws -> Fetch

    /// Creates a source. `ledger` holds the records of earlier imports into the same directory; without it, the import
    /// starts at the beginning. `makeFetch` is called on the import's thread.
    public init(
        _ service: any Service, ledger: (any ImportLedger)?, request: ImportRequest = ImportRequest(),
        configuration: Configuration = Configuration(),
        makeFetch: @escaping @Sendable () throws -> Fetch
    ) {
        self.service = service
        self.ledger = ledger
        self.request = request
        self.configuration = configuration
        self.makeFetch = makeFetch
    }

    public func read(into sink: ImportSink) throws {
        let schema = try request.schema(of: service.settings)
        sink.begin(schema)
        sink.note(service.purpose)
        let names = ColumnNames(schema)
        sink.decoder = RecordDecoder(names: names)
        sink.decoder.requiresIDs = names.storesIDs
        var pagedImport = try PagedImport(service, ledger, configuration, fetch: makeFetch(), sink)
        do {
            while try pagedImport.step() {}
        } catch let error as ServiceError {
            // So that the next run does not send a request too early.
            if pagedImport.isHeld { try pagedImport.save() }
            throw error
        }
    }
}
