import Bytes

extension SortBlock {
    /// Writes the places in `range` as the bytes of a run.
    func encode(_ range: Range<Int>, to bytes: ByteBuffer) {
        bytes.removeAll()
        let width = range.allSatisfy { UInt32(exactly: places[$0].id) != nil } ? 4 : 8
        bytes.append(upTo: BlockIDs.headBytes + range.count * width) { room in
            room.storeBytes(of: UInt32(range.count).littleEndian, as: UInt32.self)
            room[4] = UInt8(width)
            var offset = BlockIDs.headBytes
            for index in range {
                if width == 4 {
                    room.storeBytes(
                        of: UInt32(truncatingIfNeeded: places[index].id).littleEndian, toByteOffset: offset,
                        as: UInt32.self)
                } else {
                    room.storeBytes(of: places[index].id.littleEndian, toByteOffset: offset, as: Int64.self)
                }
                offset += width
            }
            return offset
        }
        switch order {
        case .id: break
        case .reputation: encodeNumbers(range, to: bytes)
        case .login, .name: encodeTexts(range, to: bytes)
        }
    }

    private func encodeNumbers(_ range: Range<Int>, to bytes: ByteBuffer) {
        guard let first = range.first else { return }
        bytes.append(upTo: 8 + range.count * 10) { room in
            guard let start = room.baseAddress else { return 0 }
            var last = places[first].prefix
            start.storeBytes(of: last.littleEndian, as: UInt64.self)
            var end = start + 8
            for index in range.dropFirst() {
                end.write(groupsOf: places[index].prefix - last)
                last = places[index].prefix
            }
            return end - start
        }
    }

    private func encodeTexts(_ range: Range<Int>, to bytes: ByteBuffer) {
        let text = text.bytes
        let textBytes = places[range].reduce(0) { $0 + Int($1.text.count) }
        bytes.append(upTo: textBytes + range.count * 20) { room in
            guard let start = room.baseAddress else { return 0 }
            var end = start
            var last = SortKey(text: .empty, in: text, id: 0)
            for index in range {
                let place = places[index]
                let shared = place.countShared(with: last, in: text)
                let rest = Int(place.text.count) - shared
                end.write(groupsOf: UInt64(shared))
                end.write(groupsOf: UInt64(rest))
                let suffix = UnsafeRawBufferPointer(rebasing: text[place.text][shared...])
                UnsafeMutableRawBufferPointer(start: end, count: rest).copyMemory(from: suffix)
                end += rest
                last = place
            }
            return end - start
        }
    }
}

extension SortKey {
    /// How many bytes two texts begin with that are the same.
    fileprivate func countShared(with other: SortKey, in bytes: UnsafeRawBufferPointer) -> Int {
        let most = Int(min(text.count, other.text.count))
        var shared = min(most, (prefix ^ other.prefix).leadingZeroBitCount / 8)
        if shared < 8 { return shared }
        let (start, otherStart) = (Int(text.offset), Int(other.text.offset))
        while shared < most, bytes[start + shared] == bytes[otherStart + shared] { shared += 1 }
        return shared
    }
}
