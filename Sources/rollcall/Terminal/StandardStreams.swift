import Foundation

/// Standard input, output and error, of which any may be closed, on a full disk, or a pipe that nobody reads any more.
enum StandardStreams {
    /// Writes to standard error, or another descriptor. Nothing depends on whether that arrives.
    static func write(_ text: String, to descriptor: Int32 = STDERR_FILENO) {
        var text = text
        text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
    }

    /// Before any file is opened, which would else get the number of a stream that is closed, and its messages. As nothing
    /// can be read from a closed input, nor be written to a closed output, so it stays: who relies on it is told.
    static func keepClosedOnesClosed() {
        for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest number that is free: this one.
            _ = open("/dev/null", mode)
        }
        // A reader that has gone, such as a log's, is no reason to stop.
        signal(SIGPIPE, SIG_IGN)
    }
}
