import Foundation

/// The part of a run that reads the source, on a thread of its own.
final class SourceReader: Sendable {
    private let source: any ImportSource
    private let configuration: ImportRun.Configuration
    private let pool: BatchPool
    private let outcome = BoundedQueue<Outcome>(capacity: 1)

    private struct Outcome: Sendable { var error: (any Error)? }

    init(source: any ImportSource, configuration: ImportRun.Configuration, pool: BatchPool) {
        self.source = source
        self.configuration = configuration
        self.pool = pool
    }

    func start() {
        let thread = Thread { [self] in
            let error = read()
            pool.finish()
            _ = outcome.put(Outcome(error: error))
        }
        thread.name = "import"
        thread.start()
    }

    /// Waits until reading has ended, and returns the error that ended it early, if any.
    func wait() -> (any Error)? { outcome.take()?.error }

    private func read() -> (any Error)? {
        var failure: (any Error)?
        do {
            let sink = try ImportSink(configuration: configuration, pool: pool)
            do { try source.read(into: sink) } catch { failure = error }
            try sink.finish()
        } catch { failure = failure ?? error }
        return failure
    }
}
