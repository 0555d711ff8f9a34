import Images
import Importers
import People
import Publishing

/// Makes photos of the publisher's own into pictures, and saves them.
struct PhotoSaver {
    private let folder: PhotoFolder
    private let directory: StoredDirectory
    private let reader: any UserReader
    private let writer: any PictureWriter
    private let worker = WorkerProcess()
    private let note: (String) -> Void
    /// How many pictures were saved, or removed.
    private(set) var saved = 0
    /// How many could not be made into pictures, or are of people who have none.
    private(set) var refused = 0
    /// Pictures that are not saved yet, by the ids of their people, and the names of their files.
    private var pending: [Int64: (picture: MadePicture, file: String)] = [:]

    /// 64 pictures share a transaction: 12 MiB at most.
    private static let maxPending = 64

    init(folder: PhotoFolder, directory: StoredDirectory, store: any PublisherStore, note: @escaping (String) -> Void)
        throws
    {
        (self.folder, self.directory, self.note) = (folder, directory, note)
        reader = try store.makeReader(for: .publisher)
        writer = try store.makePictureWriter()
    }

    /// Saves photos that an import found, except those that are called like several people.
    mutating func save(
        _ photos: [(user: Int64, name: String, path: [String])], isCancelled: () -> Bool
    ) throws {
        let shared = Dictionary(grouping: photos, by: \.path).filter { $1.count > 1 }
        for start in stride(from: 0, to: photos.count, by: 500) {
            let part = photos[start..<min(start + 500, photos.count)]
            guard let page = try reader.users(ids: part.map(\.user), sort: Sort(), directory: directory.id) else {
                return
            }
            var names: [Int64: String] = [:]
            for row in page.users.rows { names[row.id] = page.users[row.name] }
            for photo in part {
                if isCancelled() { return try finish() }
                // A later record of the file may have taken the id: no photo rather than somebody else's.
                let isSame = names[photo.user] == photo.name
                let path = photo.path.joined(separator: "/")
                if let people = shared[photo.path], folder.isNamed(photo.path, after: photo.name) {
                    if photo.user != people[0].user { continue }
                    let advice = "rollcall pictures import takes photos that are called like handles"
                    refuse(path, "\(people.count) people are called \(photo.name); \(advice)")
                } else if isSame {
                    try add(photo.path, of: photo.user)
                } else {
                    refuse(path, "its person has another id now")
                }
            }
        }
        try finish()
    }

    /// Makes the photo at `path` into the picture of `user`. ``finish()`` saves the last ones.
    mutating func add(_ path: [String], of user: Int64) throws {
        let name = path.joined(separator: "/")
        let file: [UInt8]
        do { file = try folder.read(path) } catch { return refuse(name, "\(error)") }
        switch try worker.make(file) {
        case .failure(let refusal): refuse(name, "\(refusal)")
        case .success(let picture):
            pending[user] = (picture, name)
            if pending.count >= Self.maxPending { try finish() }
        }
    }

    mutating func finish() throws {
        let done = pending.isEmpty ? [] : try writer.set(pending.mapValues(\.picture), in: directory.slug)
        for (user, photo) in pending where !done.contains(user) {
            refuse(photo.file, "pictures of this person are not stored")
        }
        saved += done.count
        pending = [:]
    }

    /// Removes the photo of `user`, if there is one.
    mutating func remove(of user: Int64) throws {
        if try writer.removeOwnPicture(of: user, in: directory.slug) { saved += 1 }
    }

    mutating func refuse(_ name: String, _ reason: String) {
        refused += 1
        note("\(name): \(reason)")
    }
}
