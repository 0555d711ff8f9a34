import CLinux
import Foundation

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
