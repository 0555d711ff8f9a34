import Bytes

#if canImport(_FoundationICU)
    import _FoundationICU
#endif

/// Converts text from one encoding to UTF-8, piece by piece, with the ICU library of the Swift toolchain.
///
/// This file is the only one of the importers that knows ICU. Without that module, only UTF-8 is read.
final class TextDecoder {
    let encoding: TextEncoding

    #if canImport(_FoundationICU)
        private let converter: OpaquePointer
        private let units = UnsafeMutableBufferPointer<UInt16>.allocate(capacity: 1 << 14)
        /// The high surrogate of a pair whose low surrogate has not been converted yet.
        private var highSurrogate: UInt16?

        /// Returns `nil` if ICU does not know the encoding.
        init?(_ encoding: TextEncoding) {
            var status = U_ZERO_ERROR
            guard let converter = swift_ucnv_open(encoding.converter, &status), status.rawValue <= 0 else { return nil }
            swift_ucnv_setToUCallBack(converter, swift_UCNV_TO_U_CALLBACK_STOP, nil, nil, nil, &status)
            self.encoding = encoding
            self.converter = converter
        }

        deinit {
            swift_ucnv_close(converter)
            units.deallocate()
        }

        /// Appends the UTF-8 form of `bytes` to `buffer`. Bytes that this encoding cannot decode become the byte 0xFF,
        /// which UTF-8 never contains, so that a reader rejects their record.
        ///
        /// - Parameter isLast: Whether no more bytes follow. An incomplete character is then an error as well.
        func append(decoding bytes: UnsafeRawBufferPointer, isLast: Bool, to buffer: ByteBuffer) {
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
                buffer.append(TextEncoding.undecodable)
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
            if highSurrogate != nil { buffer.append(TextEncoding.undecodable) }
            highSurrogate = nil
        }

        @inline(__always) private func append(_ scalar: UInt32, to buffer: ByteBuffer) {
            if scalar < 0x80 { return buffer.append(UInt8(truncatingIfNeeded: scalar)) }
            guard let scalar = Unicode.Scalar(scalar) else { return buffer.append(TextEncoding.undecodable) }
            for byte in scalar.utf8 { buffer.append(byte) }
        }
    #else
        init?(_ encoding: TextEncoding) { nil }
        func append(decoding bytes: UnsafeRawBufferPointer, isLast: Bool, to buffer: ByteBuffer) {}
    #endif
}

/// ICU's detector of encodings.
enum EncodingGuess {
    /// Returns the confidence, from 0 to 100, in each encoding that `bytes` may be in, by the name of the encoding.
    static func confidences(of bytes: UnsafeRawBufferPointer) -> [TextEncoding: Int] {
        var confidences: [TextEncoding: Int] = [:]
        #if canImport(_FoundationICU)
            var status = U_ZERO_ERROR
            guard let detector = swift_ucsdet_open(&status) else { return [:] }
            defer { swift_ucsdet_close(detector) }
            let start = bytes.bindMemory(to: CChar.self).baseAddress
            swift_ucsdet_setText(detector, start, Int32(clamping: bytes.count), &status)
            var count: Int32 = 0
            guard let matches = swift_ucsdet_detectAll(detector, &count, &status), status.rawValue <= 0 else {
                return [:]
            }
            for index in 0..<Int(count) {
                guard let name = swift_ucsdet_getName(matches[index], &status),
                    let encoding = TextEncoding(named: String(cString: name))
                else { continue }
                let confidence = Int(swift_ucsdet_getConfidence(matches[index], &status))
                confidences[encoding] = max(confidence, confidences[encoding] ?? 0)
            }
        #endif
        return confidences
    }
}
