/// The connections of one event loop, by slot. A free slot is reused with a new generation.
struct ConnectionTable {
    private var slots: ContiguousArray<Connection?> = []
    private var generations: ContiguousArray<UInt32> = []
    private var free: ContiguousArray<Int> = []
    private(set) var count = 0

    /// Creates a connection with a new token, and stores it.
    mutating func insert(_ make: (Token) -> Connection) -> Connection {
        let slot = free.popLast() ?? slots.count
        if slot == slots.count {
            slots.append(nil)
            generations.append(1)
        }
        let connection = make(Token(slot: slot, generation: generations[slot]))
        slots[slot] = connection
        count += 1
        return connection
    }

    /// The connection that `token` was made for, or `nil` if it is gone.
    subscript(token: Token) -> Connection? {
        let slot = Int(token.slot)
        guard slot < slots.count, generations[slot] == token.generation else { return nil }
        return slots[slot]
    }

    /// The connection that has `slot` now.
    subscript(slot slot: Int) -> Connection? { slot < slots.count ? slots[slot] : nil }

    mutating func remove(_ token: Token) {
        let slot = Int(token.slot)
        guard slot < slots.count, generations[slot] == token.generation, slots[slot] != nil else { return }
        slots[slot] = nil
        generations[slot] &+= 1
        free.append(slot)
        count -= 1
    }

    /// All current connections.
    var all: [Connection] { slots.compactMap { $0 } }
}
