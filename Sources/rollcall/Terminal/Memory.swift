#if os(Linux)
    import CLinux
#endif

enum Memory {
    /// Lets blocks of 128 KiB and more always be maps of their own, which go back to the system when they are freed.
    ///
    /// glibc raises that size to that of the largest block that was freed, up to 32 MiB: an import, whose buffers grow by doubling,
    /// then takes 12 MiB more.
    static func giveBackLargeBlocks() {
        #if canImport(Glibc)
            mallopt(M_MMAP_THRESHOLD, 128 << 10)
        #endif
    }
}
