import Base
import ICU

/// Converts text from one encoding to UTF-8, piece by piece, with ICU. Without ICU, only UTF-8 is read.
final class TextDecoder {
    let encoding: TextEncoding
    private let converter: TextConverter

    /// Returns `nil` if ICU does not know the encoding.
    init?(_ encoding: TextEncoding) {
        guard let converter = TextConverter(encoding.converter, undecodable: TextEncoding.undecodable) else {
            return nil
        }
        self.encoding = encoding
        self.converter = converter
    }

    /// Appends the UTF-8 form of `bytes` to `buffer`. Bytes that this encoding cannot decode become the byte 0xFF,
    /// which UTF-8 never contains, so that a reader rejects their record.
    ///
    /// - Parameter isLast: Whether no more bytes follow. An incomplete character is then an error as well.
    func append(decoding bytes: UnsafeRawBufferPointer, isLast: Bool, to buffer: ByteBuffer) {
        converter.append(decoding: bytes, isLast: isLast, to: buffer)
    }
}

/// ICU's detector of encodings.
enum EncodingGuess {
    /// Returns the confidence, from 0 to 100, in each encoding that `bytes` may be in, by the name of the encoding.
    static func confidences(of bytes: UnsafeRawBufferPointer) -> [TextEncoding: Int] {
        var confidences: [TextEncoding: Int] = [:]
        EncodingDetection.forEachGuess(of: bytes) { name, confidence in
            guard let encoding = TextEncoding(named: name) else { return }
            confidences[encoding] = max(confidence, confidences[encoding] ?? 0)
        }
        return confidences
    }
}
