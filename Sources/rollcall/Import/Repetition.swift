import ArgumentParser
import Foundation
import Importers
import People
import Publishing

extension RepetitionOptions {
    /// Runs a command once, or repeatedly until a signal ends it. Throws the exit status unless that is 0.
    ///
    /// - Parameter noun: The name of a run, for messages.
    func run(
        _ noun: String, _ cancellation: ImportCancellation, _ once: (Interruption) throws -> RunOutcome
    ) throws {
        let end = WatchEnd()
        // The first Ctrl-C ends the run after what is under way. A second one ends it at once and loses that.
        let signals = onTermination { number in
            if cancellation.isCancelled { _exit(128 + number) }
            cancellation.cancel()
            end.come()
        }
        defer { for signal in signals { signal.cancel() } }
        let interruption = Interruption(cancellation)
        repeat {
            let start = ContinuousClock.now
            let outcome = try once(interruption)
            guard let every = interval.every else { return try outcome.exit() }
            if cancellation.isCancelled { return }
            if outcome == .refused { return try outcome.exit() }
            let pause = outcome.pause(sinceStart: ContinuousClock.now - start, every.duration)
            let next = ContinuousClock.now + pause
            Reporter(progress).note("next \(noun) at \((Date() + pause.seconds).ISO8601Format())")
            end.wait(until: next)
        } while !cancellation.isCancelled
    }
}

extension RunEnd {
    func throwFailure() throws { if case .failed(let error) = self { throw error } }
}

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

    /// Throws the exit status unless that is 0.
    func exit() throws { if status != 0 { throw ExitCode(status) } }

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
