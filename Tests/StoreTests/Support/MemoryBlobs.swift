import Base

/// Numbered blobs in memory.
final class MemoryBlobs {
    private(set) var blobs: [Int64: [UInt8]] = [:]

    init() {}
}

extension MemoryBlobs: BlobStorage {
    func get(_ number: Int64, _ body: (UnsafeRawBufferPointer) throws -> Void) throws -> Bool {
        guard let blob = blobs[number] else { return false }
        try blob.withUnsafeBytes(body)
        return true
    }

    func get(_ range: Range<Int64>, isDescending: Bool, _ body: (Int64, UnsafeRawBufferPointer) throws -> Bool) throws {
        let numbers = blobs.keys.filter(range.contains).sorted()
        for number in isDescending ? numbers.reversed() : numbers {
            guard try (blobs[number] ?? []).withUnsafeBytes({ try body(number, $0) }) else { return }
        }
    }

    func get(_ next: () throws -> Int64?, _ body: (UnsafeRawBufferPointer?) throws -> Bool) throws {
        while let number = try next() {
            guard let blob = blobs[number] else {
                if try body(nil) { continue } else { return }
            }
            guard try blob.withUnsafeBytes({ try body($0) }) else { return }
        }
    }

    func put(_ bytes: UnsafeRawBufferPointer, at number: Int64) throws {
        blobs[number] = Array(bytes)
    }

    func add(_ bytes: UnsafeRawBufferPointer) throws -> Int64 {
        let number = (blobs.keys.max() ?? 0) + 1
        blobs[number] = Array(bytes)
        return number
    }

    func delete(_ range: Range<Int64>) throws {
        for number in blobs.keys.filter(range.contains) { blobs[number] = nil }
    }
}
