import Foundation

/// The memory of this process.
enum Memory {
    /// The resident size in bytes, from `proc(5)`.
    static var residentBytes: Int {
        let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .ascii))?.split(separator: " ")
        let pages = fields.flatMap { $0.count > 1 ? Int($0[1]) : nil } ?? 0
        return pages * Int(getpagesize())
    }
}
