import Base
import Foundation
import HTTPClient
import People

/// The work of one thread: takes jobs from the coordinator, sends their requests, has pictures made, and reports
/// results.
struct PictureFetcher {
    let coordinator: FetchCoordinator
    let makeFetch: @Sendable () throws -> Fetch
    let isCancelled: @Sendable () -> Bool
    let clock: @Sendable () -> Date

    func run() {
        defer { coordinator.threadEnds() }
        while let job = coordinator.take() {
            do { try attempt(job) } catch is CancellationError {
                coordinator.finish(job, .interrupted, bytes: 0)
                return
            } catch { return coordinator.fail(error) }
        }
    }

    private func attempt(_ job: FetchJob) throws {
        let validators = PictureValidators(etag: job.source.etag, lastModified: job.source.lastModified)
        // Without the stored picture, a 304 would leave nothing to show.
        let conditions = job.source.key == nil ? [] : validators.fields(for: job.address)
        let request = ClientRequest(job.address, fields: [PictureRequest.accept] + conditions)
        let (response, bytes) = try ask(request, isConditional: !conditions.isEmpty)
        switch response {
        case .file(let file, let validators):
            coordinator.received(job, bytes: bytes)
            coordinator.finish(finished(job, try make(file, validators, job)))
        case .unchanged: coordinator.finish(job, .answered, bytes: bytes, finished(job, (.unchanged, nil)))
        case .missing: coordinator.finish(job, .answered, bytes: bytes, finished(job, (.missing, nil)))
        case .moved(let address):
            if coordinator.follow(job, to: address, bytes: bytes) { return }
            finish(job, bytes, PictureFailure("it redirects too often", host: job.address.host))
        case .limited(let until):
            coordinator.pause(job, for: until.map { .seconds($0.timeIntervalSince(clock())) }, bytes: bytes)
        case .failed(let failure): finish(job, bytes, failure)
        }
    }

    /// Sends a request over a connection to its host.
    private func ask(_ request: ClientRequest, isConditional: Bool) throws -> (PictureResponse, bytes: Int) {
        let host = request.address.host
        let fetch = try coordinator.connection(to: host) ?? makeFetch()
        defer { coordinator.keep(fetch, for: host) }
        do {
            let answer = try fetch(request) { if isCancelled() || coordinator.isEnding { throw CancellationError() } }
            let response = PictureResponse(
                answer, from: request.address, isConditional: isConditional, now: clock())
            return (response, answer.received)
        } catch let error as ClientError { return (PictureResponse(error, from: request.address), 0) }
    }

    private func make(
        _ file: [UInt8], _ validators: PictureValidators, _ job: FetchJob
    ) throws -> (PictureOutcome, kind: String?) {
        switch try coordinator.make(file) {
        case .success(let picture):
            return (.made(picture, etag: validators.etag, lastModified: validators.lastModified), nil)
        case .failure(let refusal):
            // Failures are counted by what was expected, because the text after "found" differs from file to file.
            let kind = refusal.description.components(separatedBy: ", found")[0]
            return (.refused(reason: "\(job.address.host): \(refusal)"), "no picture can be made: \(kind)")
        }
    }

    private func finish(_ job: FetchJob, _ bytes: Int, _ failure: PictureFailure) {
        let outcome = PictureOutcome.failed(reason: "\(failure)")
        coordinator.finish(
            job, failure.isOfHost ? .failed : .answered, bytes: bytes, finished(job, (outcome, failure.kind)))
    }

    private func finished(_ job: FetchJob, _ outcome: (PictureOutcome, kind: String?)) -> FetchCoordinator.Finished {
        let due = job.source.due(after: outcome.0, at: Int64(clock().timeIntervalSince1970))
        return (PictureResult(job.source, outcome.0, dueAt: due), outcome.kind)
    }
}
