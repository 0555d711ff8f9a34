import Directories

/// People from a web service, page by page: asks for the next one when the one before is saved, together with where it led.
public struct ServiceSource: ImportSource {
    public struct Configuration: Sendable {
        public var patience = RetryPolicy()
        /// Ends the import after so many people; 0 for all.
        public var limit = 0
        /// Whether to start at the beginning, at once, and to ask for everything anew, whatever is remembered.
        public var isFresh = false
        /// Whether pages that have not changed are sent, too: who is not seen in a run is removed after it.
        public var isSeeingEverybody = false
        public var clock = ImportClock.system

        public init() {}
    }

    private let service: any Service
    private let ledger: (any ImportLedger)?
    private let configuration: Configuration
    private let makeFetch: @Sendable () throws -> Fetch

    /// `ledger` is what is remembered of earlier imports into the same directory; without one, the import starts at the
    /// beginning. `makeFetch` is called on the import's thread.
    public init(
        _ service: any Service, ledger: (any ImportLedger)?, configuration: Configuration = Configuration(),
        makeFetch: @escaping @Sendable () throws -> Fetch
    ) {
        self.service = service
        self.ledger = ledger
        self.configuration = configuration
        self.makeFetch = makeFetch
    }

    public func read(into sink: ImportSink) throws {
        sink.note(service.plan)
        var journey = try PagedImport(service, ledger, configuration, fetch: makeFetch(), sink)
        do {
            while try journey.step() {}
        } catch let error as ServiceError {
            // So that the same command again does not ask too early.
            if journey.isHeld { try journey.save() }
            throw error
        }
    }
}
