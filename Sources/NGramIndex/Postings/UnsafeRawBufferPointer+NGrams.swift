extension UnsafeRawBufferPointer {
    /// Calls `body` with every n-gram of this UTF-8 text and the number of the character that it ends at. N-grams that
    /// occur more than once are passed more than once.
    @inline(__always) package func forEachNGram(_ body: (NGram, _ end: Int) -> Void) {
        var previous: UInt64 = 0
        var beforePrevious: UInt64 = 0
        var index = 0
        var number = -1
        while index < count {
            let scalar = self.scalar(at: &index)
            number += 1
            if scalar == 0x20 || scalar &- 9 < 5 {
                (previous, beforePrevious) = (0, 0)
                continue
            }
            body(NGram(code: scalar), number)
            if previous != 0 {
                body(NGram(code: previous | scalar << 21), number)
                if beforePrevious != 0 {
                    body(NGram(code: beforePrevious | previous << 21 | scalar << 42), number)
                }
            }
            (previous, beforePrevious) = (scalar, previous)
        }
    }

    /// Returns the scalar at `index` and moves `index` past it.
    ///
    /// Stored text is UTF-8 unless another program wrote it. Other bytes give some number of at most 21 bits.
    @inline(__always) private func scalar(at index: inout Int) -> UInt64 {
        let first = UInt64(self[index])
        index += 1
        if first < 0xC0 { return first }
        var scalar = first < 0xE0 ? first & 0x1F : first < 0xF0 ? first & 0x0F : first & 0x07
        while index < count, self[index] & 0xC0 == 0x80, scalar < 1 << 15 {
            scalar = scalar << 6 | UInt64(self[index] & 0x3F)
            index += 1
        }
        return scalar
    }
}
