import Glibc
import Synchronization

/// A thread that its owner waits for.
///
/// ```swift
/// let thread = OwnedThread { read() }
/// thread.join()  // Nothing of it runs any more, and it keeps nothing alive.
/// ```
///
/// A program whose `main` returns while one of its threads still uses OpenSSL crashes: the library frees its tables
/// then. Foundation's `Thread` cannot be waited for.
public final class OwnedThread: Sendable {
    private let thread: Mutex<pthread_t?>

    /// Starts a thread that runs `body`, with a stack of 8 MiB, as the main thread has.
    public init(_ body: @escaping @Sendable () -> Void) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, 8 << 20)
        var started = pthread_t()
        let context = Unmanaged.passRetained(Work(body))
        let code = pthread_create(
            &started, &attributes,
            { context in
                // Releases the work before the thread ends.
                if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body() }
                return nil
            }, context.toOpaque())
        precondition(code == 0, "cannot start a thread: \(String(cString: strerror(code)))")
        thread = Mutex(started)
    }

    private final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Waits until the thread has ended. Later calls return at once.
    public func join() {
        let started = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        if let started { pthread_join(started, nil) }
    }

    deinit { join() }
}
