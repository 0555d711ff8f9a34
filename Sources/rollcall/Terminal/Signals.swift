import Base
import CLinux
import Dispatch
import Foundation
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

enum Memory {
    /// Makes glibc allocate every block of 128 KiB and more by a map of its own, which returns to the system when it is
    /// freed. A server raises that size, once it serves: see ``keepFreedBlocks(upTo:)``.
    ///
    /// By default, glibc raises this threshold to the size of the largest freed block, up to 32 MiB. An import, whose
    /// buffers grow by doubling, then takes 12 MiB more.
    ///
    /// By default, glibc also has up to eight arenas a core. Responses stay in the cache for long and are made on many
    /// threads, so every arena keeps pages that are mostly free: after 35 minutes of mixed traffic with imports, 16
    /// arenas held 80 MB of the system for 31 MB in use (2026-11-22). One arena a core is enough, because each thread
    /// keeps a few freed blocks of its own.
    static func configureAllocator() {
        mallopt(M_MMAP_THRESHOLD, 128 << 10)
        mallopt(M_ARENA_MAX, Int32(clamping: max(2, ProcessInfo.processInfo.activeProcessorCount)))
    }

    /// Makes glibc keep freed blocks of up to `size` bytes for the next picture or search, and three times as many
    /// bytes at the end of each arena. A bitmap that is mapped each time costs a page fault for every 4 KiB: three
    /// fifths of the time of some searches of a million people (2026-11-26).
    static func keepFreedBlocks(upTo size: Int32) {
        mallopt(M_MMAP_THRESHOLD, size)
        mallopt(M_TRIM_THRESHOLD, 3 * size)
    }
}
