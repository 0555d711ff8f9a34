import Base
import Dispatch
import Glibc
import Synchronization

/// Calls `body` on a queue of its own for each SIGTERM or SIGINT, instead of the default action, until the returned
/// sources are cancelled or released. No signal is lost after this function returns.
///
/// SIGHUP does the same, unless it is ignored, as under nohup(1). It counts as the first signal only: when a terminal
/// closes, the system and the shell may send one each, and nobody has asked twice.
func onTermination(_ body: @escaping @Sendable (Int32) -> Void) -> [any DispatchSourceSignal] {
    let queue = DispatchQueue(label: "rollcall.signals")
    let registered = DispatchGroup()
    let hasCome = Atomic(false)
    let sources = ([SIGTERM, SIGINT] + (SystemValues.isIgnored(SIGHUP) ? [] : [SIGHUP])).map { number in
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        source.setEventHandler {
            let isFirst = !hasCome.exchange(true, ordering: .relaxed)
            if isFirst || number != SIGHUP { body(number) }
        }
        registered.enter()
        source.setRegistrationHandler { registered.leave() }
        source.activate()
        return source
    }
    // Until Dispatch has registered the sources, signals would be ignored.
    registered.wait()
    return sources
}
