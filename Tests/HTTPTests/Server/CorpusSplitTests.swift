import Server
import TestSupport
import Testing

@Suite("Requests of Tests/Corpus in two parts")
struct CorpusSplitTests {
    @Test(arguments: CorpusTests.files)
    func everySplitGivesTheSameOutcome(_ file: String) throws {
        for item in try HTTPCase.all(in: file) {
            let bytes = try item.bytes()
            let whole = Reading(of: [bytes])
            #expect(whole.statuses == item.outcome.statuses.filter { $0 != 100 }, "\(item)")
            // For long requests, only about a thousand positions.
            for place in stride(from: 0, through: bytes.count, by: bytes.count / 1000 + 1) {
                let split = Reading(of: [Array(bytes[..<place]), Array(bytes[place...])])
                #expect(split == whole, "\(item), split at \(place)")
            }
        }
    }
}

/// The messages that a server recognizes in some bytes, as they arrive.
private struct Reading: Equatable {
    /// The status of each rejection, and for each valid request the status of a server where every resource exists.
    var statuses: [Int] = []
    /// The number of bytes that wait for more.
    var waiting = 0

    private var held: [UInt8] = []
    private var body: BodyReader?
    private var status = 0
    private var closes = false
    private var isOver = false

    init(of parts: [[UInt8]]) {
        for part in parts {
            held += part
            while !isOver, step() {}
        }
        waiting = isOver ? 0 : held.count
        held = []
    }

    /// Reads one message or part of one. Returns `false` where more bytes are needed.
    private mutating func step() -> Bool {
        if body != nil { return readBody() }
        guard !held.isEmpty else { return false }
        var head = RequestHead()
        switch held.withUnsafeBytes({ RequestParser().parse($0, into: &head) }) {
        case .needsMoreBytes: return false
        case .rejected(let rejection): refuse(rejection.status.rawValue)
        case .request(let consumed):
            held.removeFirst(consumed)
            status = head.method == .unknown ? 501 : head.method == .unsupported ? 405 : 200
            let reader = BodyReader(head.framing)
            if let rejection = reader.rejection {
                refuse(rejection.status.rawValue)
            } else if head.framing != .none, head.framing != .length(0), status != 200 {
                refuse(status)
            } else {
                body = reader
                closes = !head.keepsAlive
            }
        }
        return true
    }

    private mutating func readBody() -> Bool {
        guard var reader = body else { return false }
        switch held.withUnsafeBytes({ reader.read($0) }) {
        case .needsMoreBytes:
            held = []
            body = reader
            return false
        case .rejected(let rejection): refuse(rejection.status.rawValue)
        case .done(let consumed):
            held.removeFirst(consumed)
            body = nil
            statuses.append(status)
            isOver = closes
        }
        return true
    }

    private mutating func refuse(_ status: Int) {
        statuses.append(status)
        body = nil
        isOver = true
    }
}
