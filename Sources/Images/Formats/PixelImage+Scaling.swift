import Glibc

extension PixelImage {
    /// Returns the square in the middle, made smaller to at most `side` × `side` pixels with a Catmull-Rom filter.
    func centreSquare(side: Int) -> PixelImage {
        let length = min(width, height)
        let (left, top) = ((width - length) / 2, (height - length) / 2)
        if length <= side { return cropped(left: left, top: top, side: length) }
        let taps = Taps(from: length, to: side)
        // Columns first: their inner loop runs along a row, which compilers turn into wide vectors.
        let columns = shortened(left: left, top: top, taps)
        return narrowed(columns, taps)
    }

    private func cropped(left: Int, top: Int, side: Int) -> PixelImage {
        if width == side, height == side { return self }
        var square: [Pixel] = []
        square.reserveCapacity(side * side)
        for y in top..<(top + side) { square += pixels[(y * width + left)..<(y * width + left + side)] }
        return PixelImage(width: side, height: side, pixels: square)
    }

    /// Returns the rows of the square after vertical scaling: `taps.count` rows with all columns. Samples keep
    /// `Taps.fractionBits` bits behind the point.
    private func shortened(left: Int, top: Int, _ taps: Taps) -> [SIMD4<Int16>] {
        let length = taps.length
        return [SIMD4<Int16>](unsafeUninitializedCapacity: length * taps.count) { rows, count in
            pixels.withUnsafeBufferPointer { pixels in
                for y in 0..<taps.count {
                    let (first, weights) = taps[y]
                    let start = (top + first) * width + left
                    for x in 0..<length {
                        rows[y * length + x] = weights.withUnsafeBufferPointer { weights in
                            var sum = SIMD4<Int32>(repeating: Taps.rowRounding)
                            var position = start + x
                            for weight in weights {
                                sum &+= SIMD4<Int32>(truncatingIfNeeded: pixels[position]) &* Int32(weight)
                                position += width
                            }
                            return SIMD4<Int16>(truncatingIfNeeded: sum &>> Taps.rowShift)
                        }
                    }
                }
            }
            count = length * taps.count
        }
    }

    /// Scales `rows` horizontally.
    private func narrowed(_ rows: [SIMD4<Int16>], _ taps: Taps) -> PixelImage {
        let side = taps.count
        let pixels = [Pixel](unsafeUninitializedCapacity: side * side) { pixels, count in
            rows.withUnsafeBufferPointer { rows in
                for y in 0..<side {
                    for x in 0..<side {
                        let (first, weights) = taps[x]
                        pixels[y * side + x] = weights.withUnsafeBufferPointer { weights in
                            var sum = SIMD4<Int32>(repeating: Taps.pixelRounding)
                            var position = y * taps.length + first
                            for weight in weights {
                                sum &+= SIMD4<Int32>(truncatingIfNeeded: rows[position]) &* Int32(weight)
                                position += 1
                            }
                            return Self.clamped(sum &>> Taps.pixelShift)
                        }
                    }
                }
            }
            count = side * side
        }
        return PixelImage(width: side, height: side, pixels: pixels)
    }

    /// The filter overshoots at edges. Colours multiplied by alpha are at most alpha.
    private static func clamped(_ sample: SIMD4<Int32>) -> Pixel {
        let alpha = min(max(sample.w, 0), 255)
        return Pixel(truncatingIfNeeded: sample.clamped(lowerBound: .zero, upperBound: SIMD4(repeating: alpha)))
    }
}

/// Which samples are mixed into each sample of a shorter row, and in which proportions.
private struct Taps {
    /// Weights are multiples of 1/16384; those of a sample add up to 16384 exactly, so that a constant stays constant.
    static let weightBits: Int32 = 14
    /// The bits that rows keep after the point between both passes: 255 × 64, and the overshoot, fit into 16 bits.
    static let fractionBits: Int32 = 6
    static let rowShift = weightBits - fractionBits
    static let rowRounding: Int32 = 1 << (rowShift - 1)
    static let pixelShift = weightBits + fractionBits
    static let pixelRounding: Int32 = 1 << (pixelShift - 1)

    /// The samples there are.
    let length: Int
    /// The samples there will be.
    let count: Int
    private var starts: [Int] = []
    private var ends: [Int] = []
    private var weights: [Int16] = []

    init(from length: Int, to count: Int) {
        (self.length, self.count) = (length, count)
        let scale = Double(length) / Double(count)
        for index in 0..<count {
            let centre = (Double(index) + 0.5) * scale
            let samples = max(0, Int(centre - 2 * scale))..<min(length, Int(centre + 2 * scale) + 1)
            let heights = samples.map { Self.catmullRom((Double($0) + 0.5 - centre) / scale) }
            let sum = heights.reduce(0, +)
            var own = heights.map { Int(($0 / sum * Double(1 << Self.weightBits)).rounded()) }
            own[samples.count / 2] += 1 << Self.weightBits - own.reduce(0, +)
            starts.append(samples.lowerBound)
            weights += own.map { Int16($0) }
            ends.append(weights.count)
        }
    }

    /// The first sample that belongs to `index`, and the weights from it on.
    subscript(index: Int) -> (first: Int, weights: ArraySlice<Int16>) {
        (starts[index], weights[(index == 0 ? 0 : ends[index - 1])..<ends[index]])
    }

    /// The cubic through the samples (Catmull and Rom, 1974), cut off two samples from the centre.
    private static func catmullRom(_ distance: Double) -> Double {
        let x = abs(distance)
        if x < 1 { return (1.5 * x - 2.5) * x * x + 1 }
        if x < 2 { return ((-0.5 * x + 2.5) * x - 4) * x + 2 }
        return 0
    }
}
