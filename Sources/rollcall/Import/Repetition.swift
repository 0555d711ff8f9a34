import ArgumentParser
import Dispatch
import Foundation
import Importers
import People
import Publishing
import StoreEngine

/// Runs a command once, or repeatedly until a signal ends it.
struct Repetition {
    /// The time from one start to the next; `nil` to run once.
    let interval: Interval?
    /// The name of a run, for messages.
    let noun: String
    let format: TextFormat?
    let cancellation: ImportCancellation
    private let wake = DispatchSemaphore(value: 0)

    /// Returns the exit status.
    func run(_ once: () throws -> RunOutcome) throws -> Int32 {
        // The first Ctrl-C ends the run after what is under way. A second one ends it at once and loses that.
        let signals = onTermination { [cancellation, wake] number in
            if cancellation.isCancelled { _exit(128 + number) }
            cancellation.cancel()
            wake.signal()
        }
        defer { for signal in signals { signal.cancel() } }
        guard let interval = interval?.duration else { return try once().status }
        while true {
            let start = ContinuousClock.now
            let outcome = try once()
            if cancellation.isCancelled { return 0 }
            if outcome == .refused { return outcome.status }
            wait(outcome.pause(sinceStart: ContinuousClock.now - start, interval))
            if cancellation.isCancelled { return 0 }
        }
    }

    /// Waits on a clock that nobody sets, and that runs while the machine sleeps: a day by which the time of day is
    /// corrected must not delay the next run by a day.
    private func wait(_ pause: Duration) {
        let end = ContinuousClock.now + pause
        let line = "next \(noun) at \((Date() + pause.seconds).ISO8601Format())"
        StandardStreams.note(format == .json ? JSONLine.text(["note": line]) : line + "\n")
        while !cancellation.isCancelled, case let left = end - ContinuousClock.now, left > .zero {
            // The semaphore's clock stands still while the machine sleeps: an hour at most is missed that way.
            _ = wake.wait(timeout: .now() + min(left.seconds, 3600))
        }
    }
}

extension RepetitionOptions {
    /// Runs a command once, or repeatedly until a signal ends it. Throws the exit status unless that is 0.
    ///
    /// - Parameter noun: The name of a run, for messages.
    func run(
        _ noun: String, _ cancellation: ImportCancellation, _ once: (Interruption) throws -> RunOutcome
    ) throws {
        let repetition = Repetition(interval: interval.every, noun: noun, format: progress, cancellation: cancellation)
        let interruption = Interruption(cancellation)
        let status = try repetition.run { try once(interruption) }
        if status != 0 { throw ExitCode(status) }
    }
}

/// The way a run ended.
enum RunOutcome: Equatable {
    case complete, interrupted
    /// Some records or pictures could not be saved.
    case rejections
    /// Another process is doing the same.
    case busy
    case comeBack(Date)
    case failed
    /// A failure that occurs again at the next attempt, until the user changes something.
    case refused

    /// The way of a run that ended like this, and could save all that it read.
    init(_ end: RunEnd) {
        switch end {
        case .complete: self = .complete
        case .cancelled: self = .interrupted
        case .failed(let error as any StoreFailure) where error.kind == .forLater: self = .busy
        case .failed(let error as ServiceError):
            self =
                switch error.kind {
                case .comeBack(let date): .comeBack(date)
                case .unreachable: .failed
                case .refused: .refused
                }
        case .failed: self = .failed
        }
    }

    var status: Int32 {
        switch self {
        case .complete: 0
        case .failed, .refused: 1
        case .rejections: 2
        // EX_TEMPFAIL of sysexits(3).
        case .comeBack, .busy: 75
        case .interrupted: 130
        }
    }

    /// Returns how long a repeated run, which took `elapsed`, waits before it begins again: for the interval from its
    /// start on and up to a tenth more, at random, so that many do not begin at once; or until a service wants to be
    /// asked.
    func pause(sinceStart elapsed: Duration, _ interval: Duration) -> Duration {
        if case .comeBack(let date) = self {
            return .seconds(max(0, date.timeIntervalSinceNow) + Double.random(in: 0...2))
        }
        return max(.zero, interval * Double.random(in: 1...1.1) - elapsed)
    }
}
