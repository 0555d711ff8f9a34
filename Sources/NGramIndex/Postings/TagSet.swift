/// Up to eight tags of a text, at most one of each kind: byte `k`, counted from the lowest, is the value of kind `k`,
/// and 0 stands for no tag.
package struct TagSet: Sendable {
    package static let maxCount = 8
    let bits: UInt64

    package init(bits: UInt64 = 0) { self.bits = bits }

    package var isEmpty: Bool { bits == 0 }

    @inline(__always) func forEach(_ body: (NGram) -> Void) {
        var rest = bits
        while rest != 0 {
            let kind = rest.trailingZeroBitCount / 8
            body(NGram(tag: UInt8(truncatingIfNeeded: rest >> UInt64(8 * kind)), ofKind: kind))
            rest &= ~(0xFF << UInt64(8 * kind))
        }
    }
}
