import Dispatch
import Foundation

/// Calls `body` on a queue of its own for each SIGTERM or SIGINT, which then end nothing by themselves, as long as what it
/// answers is kept and not cancelled. From its return on none is lost.
///
/// - Parameter orHangup: whether SIGHUP does the same, unless it was ignored, as nohup(1) has it.
func onTermination(
    orHangup: Bool = false, _ body: @escaping @Sendable (Int32) -> Void
) -> [any DispatchSourceSignal] {
    let queue = DispatchQueue(label: "rollcall.signals")
    let registered = DispatchGroup()
    let sources = ([SIGTERM, SIGINT] + (orHangup && !isIgnored(SIGHUP) ? [SIGHUP] : [])).map { number in
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

private func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    // As numbers: that of "ignored" is no function, which is what Swift takes it for.
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
}
