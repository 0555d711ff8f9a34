import Dispatch
import Foundation

/// Calls `body` on a queue of its own for each SIGTERM or SIGINT, which then end nothing by themselves, as long as what it
/// answers is kept and not cancelled. From its return on none is lost.
func onTermination(_ body: @escaping @Sendable (Int32) -> Void) -> [any DispatchSourceSignal] {
    let queue = DispatchQueue(label: "rollcall.signals")
    let registered = DispatchGroup()
    let sources = [SIGTERM, SIGINT].map { number in
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        source.setEventHandler { body(number) }
        registered.enter()
        source.setRegistrationHandler { registered.leave() }
        source.activate()
        return source
    }
    // Until Dispatch has seen them, signals would be ignored.
    registered.wait()
    return sources
}
