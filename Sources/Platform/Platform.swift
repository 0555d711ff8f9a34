/// The differences between platforms: the C library, and names in it. Rollcall is tested on Linux only.
#if canImport(Glibc)
    @_exported import Glibc
#elseif canImport(Musl)
    @_exported import Musl
#else
    @_exported import Darwin
#endif

extension stat {
    /// The time of the last change of the content, since 1970.
    public var modified: timespec {
        #if canImport(Darwin)
            st_mtimespec
        #else
            st_mtim
        #endif
    }
}
