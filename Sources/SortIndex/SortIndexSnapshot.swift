/// The block directories of one version of some sort indexes, and the number of keys before each block.
///
/// Turns a rank into a block and a key into a rank without reading more than that block. Immutable, and shared by all
/// readers. The rank of a key is the number of keys before it.
package final class SortIndexSnapshot: Sendable {
    /// The version of the data that the directories were read from.
    package let version: Int64
    private let directories: [BlockDirectory]
    private let countsBefore: [[Int]]

    /// The snapshot of one index for each directory.
    package init(version: Int64, _ directories: [BlockDirectory]) {
        self.version = version
        self.directories = directories.map(\.compacted)
        countsBefore = directories.map { directory in
            var sum = 0
            return directory.counts.map { count in
                defer { sum += Int(count) }
                return sum
            }
        }
    }

    package func directory(of index: Int) -> BlockDirectory { directories[index] }

    /// Returns the block that has the key with `rank`, and the number of keys before it in the block.
    package func position(ofRank rank: Int, in index: Int) -> (block: Int, offset: Int) {
        let counts = countsBefore[index]
        var low = 0
        var high = counts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if counts[middle] <= rank { low = middle } else { high = middle }
        }
        return (low, rank - counts[low])
    }

    /// Returns the number of keys before a block.
    package func count(before block: Int, in index: Int) -> Int { countsBefore[index][block] }
}
