#if os(Linux)
    import CLinux
#endif

enum Memory {
    /// Makes glibc allocate every block of 128 KiB and more by a map of its own, which returns to the system when it is
    /// freed.
    ///
    /// By default, glibc raises this threshold to the size of the largest freed block, up to 32 MiB. An import, whose
    /// buffers grow by doubling, then takes 12 MiB more.
    static func giveBackLargeBlocks() {
        #if canImport(Glibc)
            mallopt(M_MMAP_THRESHOLD, 128 << 10)
        #endif
    }
}
