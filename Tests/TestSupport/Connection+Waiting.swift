import Foundation
import Glibc

extension Connection {
    /// Returns the next bytes, empty at the end or after a reset, or `nil` if none arrive within this many
    /// milliseconds.
    public func read(within milliseconds: Int32) -> [UInt8]? {
        var descriptors = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
        guard poll(&descriptors, 1, milliseconds) > 0 else { return nil }
        return (try? read()) ?? []
    }
}

/// Returns a port of this machine on which nothing listens at the moment, for programs that cannot choose one
/// themselves.
public func freePort() throws -> Int {
    let listener = try LoopbackListener()
    defer { close(listener.descriptor) }
    return listener.port
}
