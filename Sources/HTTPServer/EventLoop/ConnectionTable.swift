/// The connections of one event loop, by slot. A slot that becomes free is used again under a new generation.
struct ConnectionTable {
    private var slots: ContiguousArray<Connection?> = []
    private var generations: ContiguousArray<UInt32> = []
    private var free: ContiguousArray<Int> = []
    private(set) var count = 0

    /// Makes a connection with a token of its own, and keeps it.
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

    /// The connection that `token` was made for, if it is still there.
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

    /// All that are there now.
    var all: [Connection] { slots.compactMap { $0 } }
}
