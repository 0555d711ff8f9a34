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

/// The idle connections of one event loop, by slot, in the order in which they became idle.
///
/// A doubly linked list inside an array: eight bytes a connection, and every operation takes the same few instructions.
struct IdleQueue {
    private struct Link {
        var previous: UInt32
        var next: UInt32
    }

    /// The first link is the ring's start and no connection; slot 0 has the second. A slot that is not in the queue is
    /// linked to itself.
    private var links: ContiguousArray<Link> = [Link(previous: 0, next: 0)]

    /// The slot that has been idle longest.
    var first: Int? { links[0].next == 0 ? nil : Int(links[0].next) - 1 }

    /// Puts `slot` at the end, whether or not it is in the queue.
    mutating func append(_ slot: Int) {
        let index = slot + 1
        while links.count <= index {
            let own = UInt32(links.count)
            links.append(Link(previous: own, next: own))
        }
        let last = links[0].previous
        guard last != index else { return }
        remove(slot)
        links[index] = Link(previous: last, next: 0)
        links[Int(last)].next = UInt32(index)
        links[0].previous = UInt32(index)
    }

    /// Takes `slot` out, if it is in the queue.
    mutating func remove(_ slot: Int) {
        let index = slot + 1
        guard index < links.count else { return }
        let link = links[index]
        links[Int(link.previous)].next = link.next
        links[Int(link.next)].previous = link.previous
        links[index] = Link(previous: UInt32(index), next: UInt32(index))
    }
}
