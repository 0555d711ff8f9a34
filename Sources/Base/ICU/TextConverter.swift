import _FoundationICU

/// Converts text from one encoding to UTF-8, piece by piece.
package final class TextConverter {
    private let converter: OpaquePointer
    private let units: UnsafeMutableBufferPointer<UInt16>
    /// The high surrogate of a pair whose low surrogate has not been converted yet.
    private var highSurrogate: UInt16?
    private let undecodable: UInt8

    /// Returns `nil` if ICU does not know the encoding.
    ///
    /// - Parameter undecodable: The byte that stands for bytes that the encoding cannot decode.
    package init?(_ encoding: String, undecodable: UInt8) {
        var status = U_ZERO_ERROR
        guard let converter = swift_ucnv_open(encoding, &status), status.rawValue <= 0 else { return nil }
        swift_ucnv_setToUCallBack(converter, swift_UCNV_TO_U_CALLBACK_STOP, nil, nil, nil, &status)
        self.converter = converter
        // Not before: an initializer that fails does not deinitialize.
        units = .allocate(capacity: 1 << 14)
        self.undecodable = undecodable
    }

    deinit {
        swift_ucnv_close(converter)
        units.deallocate()
    }

    /// Appends the UTF-8 form of `bytes` to `buffer`.
    ///
    /// - Parameter isLast: Whether no more bytes follow. An incomplete character is then an error as well.
    package func append(decoding bytes: UnsafeRawBufferPointer, isLast: Bool, to buffer: ByteBuffer) {
        guard let target = units.baseAddress else { return }
        var source = bytes.bindMemory(to: CChar.self).baseAddress
        let end = source.map { $0 + bytes.count }
        while true {
            var status = U_ZERO_ERROR
            var unit: UnsafeMutablePointer<UInt16>? = target
            swift_ucnv_toUnicode(converter, &unit, target + units.count, &source, end, nil, isLast ? 1 : 0, &status)
            append(units[..<(unit.map { $0 - target } ?? 0)], to: buffer)
            if status == U_BUFFER_OVERFLOW_ERROR { continue }
            if status.rawValue <= 0 { break }
            // The converter has skipped the bytes that it could not convert.
            endSurrogatePair(to: buffer)
            buffer.append(undecodable)
        }
        if isLast {
            endSurrogatePair(to: buffer)
            swift_ucnv_resetToUnicode(converter)
        }
    }

    private func append(_ units: Slice<UnsafeMutableBufferPointer<UInt16>>, to buffer: ByteBuffer) {
        buffer.reserve(units.count * 3)
        for unit in units {
            if let high = highSurrogate, UTF16.isTrailSurrogate(unit) {
                highSurrogate = nil
                append(0x10000 + (UInt32(high) & 0x3FF) << 10 + UInt32(unit) & 0x3FF, to: buffer)
                continue
            }
            endSurrogatePair(to: buffer)
            if UTF16.isLeadSurrogate(unit) { highSurrogate = unit } else { append(UInt32(unit), to: buffer) }
        }
    }

    /// Reports a high surrogate that no low surrogate follows.
    private func endSurrogatePair(to buffer: ByteBuffer) {
        if highSurrogate != nil { buffer.append(undecodable) }
        highSurrogate = nil
    }

    @inline(__always) private func append(_ scalar: UInt32, to buffer: ByteBuffer) {
        if scalar < 0x80 { return buffer.append(UInt8(truncatingIfNeeded: scalar)) }
        guard let scalar = Unicode.Scalar(scalar) else { return buffer.append(undecodable) }
        for byte in scalar.utf8 { buffer.append(byte) }
    }
}

extension TextConverter {
    /// Calls `body` with the name of each encoding that `bytes` may be in, as ICU detects it, and with the confidence,
    /// from 0 to 100.
    package static func forEachEncoding(
        of bytes: UnsafeRawBufferPointer, _ body: (_ encoding: String, _ confidence: Int) -> Void
    ) {
        var status = U_ZERO_ERROR
        guard let detector = swift_ucsdet_open(&status) else { return }
        defer { swift_ucsdet_close(detector) }
        let start = bytes.bindMemory(to: CChar.self).baseAddress
        swift_ucsdet_setText(detector, start, Int32(clamping: bytes.count), &status)
        var count: Int32 = 0
        guard let matches = swift_ucsdet_detectAll(detector, &count, &status), status.rawValue <= 0 else { return }
        for index in 0..<Int(count) {
            guard let name = swift_ucsdet_getName(matches[index], &status) else { continue }
            body(String(cString: name), Int(swift_ucsdet_getConfidence(matches[index], &status)))
        }
    }
}
