import Bytes

extension ImportRecord {
    /// Looks for a photo named after the person, if no column names one and the publisher named the folder.
    mutating func findPhoto(
        login: UnsafeRawBufferPointer, handle: UnsafeRawBufferPointer, name: UnsafeRawBufferPointer
    ) {
        guard let photos, photos.matchesNames, member(.avatarURL) == nil else { return }
        var wanted = [handle, login].map { String(decoding: $0, as: UTF8.self) }
        wanted += names.keys.indices.compactMap { keyPart($0).map(\.plainText) }
        let words = String(decoding: name, as: UTF8.self).split(separator: " ")
        if let first = words.first, let last = words.last {
            wanted.append(words.joined(separator: " "))
            wanted.append(([last] + words.dropLast()).joined(separator: " "))
            wanted.append((words.dropFirst() + [first]).joined(separator: " "))
        }
        if let match = photos.match(names: wanted.filter { !$0.isEmpty }) {
            losses.append(ImportLosses.Loss(match, wanted.first { !$0.isEmpty } ?? ""))
        }
    }
}

extension RecordValue {
    fileprivate var plainText: String {
        let buffer = ByteBuffer(capacity: 64)
        appendText(to: buffer)
        return String(buffer)
    }
}

extension ImportLosses.Loss {
    /// Reports the result for the photo that `text` names.
    init(_ match: PhotoMatch, _ text: String) {
        switch match {
        case .matched: self.init(.foundPhoto, text)
        case .notFound: self.init(.photo, text)
        case .dropped(let reason): self.init(.droppedPhoto, "\(text) (\(reason))")
        }
    }
}
