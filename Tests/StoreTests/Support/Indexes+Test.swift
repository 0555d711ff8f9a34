import Base
import Indexes

func ngram(_ text: String) -> NGram { NGram(Array(text.unicodeScalars)) }

/// The bytes as the documents of indexes write them.
func hex(_ bytes: ByteBuffer) -> String { [UInt8](bytes).map(\.hexadecimal).joined(separator: " ") }
