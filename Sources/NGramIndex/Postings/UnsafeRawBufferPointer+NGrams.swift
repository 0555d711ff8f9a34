import Base

extension UnsafeRawBufferPointer {
    /// Calls `body` with every n-gram of this UTF-8 text, those with a ``NGram/Mark`` and the tags of its titles
    /// included, and the number of the character that it ends at. N-grams that occur more than once are passed more
    /// than once.
    @inline(__always) package func forEachNGram(_ body: (NGram, _ end: Int) -> Void) {
        var previous: UInt64 = 0
        var beforePrevious: UInt64 = 0
        var index = 0
        var number = -1
        var line = 0
        var isTitle = true
        var isLineStart = true
        // The mark before the previous character, or 0.
        var mark: UInt64 = 0
        var isAfterWord = false
        var title = TitleHash()
        while index < count {
            let scalar = UInt64(self.scalar(at: &index))
            number += 1
            if scalar <= 0x20 {
                if scalar == 0x0A {
                    if isTitle, !isLineStart { body(title.tag, number) }
                    line += 1
                    isTitle = line < NGram.titleLines
                    isLineStart = true
                    title = TitleHash()
                } else if scalar == NGram.titleVariant, isLineStart {
                    isTitle = true
                } else if isTitle {
                    title.add(scalar)
                }
                (previous, beforePrevious, mark, isAfterWord) = (0, 0, 0, false)
                continue
            }
            if isTitle { title.add(scalar) }
            body(NGram(code: scalar), number)
            if previous != 0 {
                body(NGram(code: previous | scalar << 21), number)
                if beforePrevious != 0 {
                    body(NGram(code: beforePrevious | previous << 21 | scalar << 42), number)
                }
                if mark != 0 { body(NGram(code: mark | previous << 21 | scalar << 42), number) }
            }
            let isWord = WordScalars.contains(UInt32(truncatingIfNeeded: scalar))
            let isTitleStart = isLineStart && isTitle
            mark = isTitleStart ? NGram.Mark.title.rawValue : isWord && !isAfterWord ? NGram.Mark.word.rawValue : 0
            if mark != 0 { body(NGram(code: mark | scalar << 21), number) }
            (isAfterWord, isLineStart) = (isWord, false)
            (previous, beforePrevious) = (scalar, previous)
        }
        if isTitle, !isLineStart { body(title.tag, number) }
    }
}
