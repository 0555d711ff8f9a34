import Glibc

/// What the system says about time and this process: its calls, which take pointers, as functions that return values.
public enum SystemValues {
    /// The time on `clock` (clock_gettime(2)), in nanoseconds.
    @inlinable public static func nanoseconds(on clock: clockid_t) -> Int {
        var time = timespec()
        clock_gettime(clock, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    /// The size in bytes of the file or folder at `path`; `nil` if there is none.
    public static func size(ofFileAt path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_size : nil
    }

    /// How many descriptors this process may have open; `nil` if the system does not say.
    public static var descriptorLimit: Int? {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        return getrlimit(resource, &limit) == 0 ? Int(clamping: limit.rlim_cur) : nil
    }
}
