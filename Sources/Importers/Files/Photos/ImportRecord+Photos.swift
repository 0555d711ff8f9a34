import Base

extension ImportRecord {
    /// Looks for a photo named after the person, if no column names one and the publisher named the folder.
    mutating func findPhoto(
        login: UnsafeRawBufferPointer, handle: UnsafeRawBufferPointer, name: UnsafeRawBufferPointer
    ) {
        // A template may name the photo as well as a column.
        guard let photos, photos.matchesNames, bytes(.avatarURL)?.isEmpty != false else { return }
        var wanted = [handle, login].map { String(decoding: $0, as: UTF8.self) }
        wanted += names.keys.indices.compactMap { keyPart($0).map(\.plainText) }
        wanted += PhotoFolder.names(from: String(decoding: name, as: UTF8.self))
        if let match = photos.match(names: wanted.filter { !$0.isEmpty }) {
            note(match, of: wanted.first { !$0.isEmpty } ?? "")
        }
    }

    /// Notes the result for the photo that `text` names.
    mutating func note(_ match: PhotoMatch, of text: String) {
        if case .matched(_, let path) = match { photo = path }
        losses.append(ImportLosses.Loss(match, text))
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
