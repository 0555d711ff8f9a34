import Base
import People

/// A request of the parent to the worker. On the wire: the kind, the length in four bytes, lowest first, and the bytes.
enum WorkerRequest: UInt8 {
    case picture = 1
    /// Tries to leave the sandbox, for tests.
    case probe

    static let headBytes = 5

    func message(_ body: [UInt8]) -> [UInt8] { [rawValue] + UInt32(body.count).littleEndianBytes + body }

    /// Reads the head of a message.
    static func parse(_ head: [UInt8]) -> (request: WorkerRequest, count: Int)? {
        guard head.count == headBytes, let request = Self(rawValue: head[0]) else { return nil }
        return (request, Int(UInt32(littleEndianBytes: head[1...])))
    }
}

/// An answer of the worker. The worker reads hostile bytes, so its answer counts as hostile, too.
package enum WorkerReply: Equatable {
    /// The sandbox is closed. The first reply of each worker.
    case ready
    case made(MadePicture)
    case refused(RollcallError)

    /// The longest reason of a refusal in bytes.
    private static let maxReason = 200

    /// Returns the reply at the start of `bytes` and its length, or `nil` if more bytes are needed. Throws if they are
    /// not a reply.
    package static func parse(_ bytes: [UInt8]) throws(RollcallError) -> (reply: WorkerReply, count: Int)? {
        guard let kind = bytes.first else { return nil }
        switch kind {
        case 0: return (.ready, 1)
        case 1:
            guard let (parts, count) = try parts(bytes, limits: PictureSize.allCases.map(\.maxBytes) + [1]) else {
                return nil
            }
            let hue = try required(
                parts[3].first.flatMap(PictureHue.init(byte:)), "expected a hue, found \(parts[3])")
            return (.made(try MadePicture(small: parts[0], medium: parts[1], large: parts[2], hue: hue)), count)
        case 2:
            guard let (parts, count) = try parts(bytes, limits: [maxReason]) else { return nil }
            return (.refused(RollcallError(String(decoding: parts[0], as: UTF8.self).printable)), count)
        default: throw RollcallError("expected a reply, found byte \(kind)")
        }
    }

    /// Returns the parts of a body, each after its length, and the length of the message.
    private static func parts(_ bytes: [UInt8], limits: [Int]) throws(RollcallError) -> (parts: [[UInt8]], count: Int)?
    {
        let start = 1 + limits.count * 4
        guard bytes.count >= start else { return nil }
        var (parts, position): ([[UInt8]], Int) = ([], start)
        let lengths = limits.indices.map { Int(UInt32(littleEndianBytes: bytes[(1 + $0 * 4)...].prefix(4))) }
        for (length, limit) in zip(lengths, limits) {
            try expect(length <= limit, "expected at most \(limit) bytes, found \(length)")
        }
        for length in lengths {
            guard bytes.count - position >= length else { return nil }
            parts.append(Array(bytes[position..<(position + length)]))
            position += length
        }
        return (parts, position)
    }

    /// The message on the wire.
    package var bytes: [UInt8] {
        switch self {
        case .ready: [0]
        case .made(let picture): Self.message(1, PictureSize.allCases.map { picture[$0] } + [[picture.hue.byte]])
        case .refused(let refusal): Self.message(2, [Array(refusal.description.utf8.prefix(Self.maxReason))])
        }
    }

    private static func message(_ kind: UInt8, _ parts: [[UInt8]]) -> [UInt8] {
        [kind] + parts.flatMap { UInt32($0.count).littleEndianBytes } + parts.joined()
    }
}

extension UInt32 {
    fileprivate init(littleEndianBytes bytes: ArraySlice<UInt8>) {
        self = bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    fileprivate var littleEndianBytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) } }
}
