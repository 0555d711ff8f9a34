import Bytes

extension UnsafeRawBufferPointer {
    /// Calls `body` with every n-gram of this UTF-8 text and the number of the character that it ends at. N-grams that
    /// occur more than once are passed more than once.
    @inline(__always) package func forEachNGram(_ body: (NGram, _ end: Int) -> Void) {
        var previous: UInt64 = 0
        var beforePrevious: UInt64 = 0
        var index = 0
        var number = -1
        while index < count {
            let scalar = UInt64(self.scalar(at: &index))
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
}
