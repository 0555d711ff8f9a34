import Base
import People
import Publishing

extension PublisherStore {
    /// Returns a warning if people have pictures and the store has none of them; else `nil`. The pictures of a file are
    /// in another one beside it, which is easily forgotten when the first is moved.
    func missingPictures(of database: DatabaseLocation) throws -> String? {
        guard try pictureTotals().pictures == 0 else { return nil }
        let counts = try pictureCounts().values
        let (people, own) = (counts.reduce(0) { $0 + $1.pictures }, counts.reduce(0) { $0 + $1.own })
        if people == 0 { return nil }
        let photos = own == 0 ? "" : ", and imports with --photos save photos of your own"
        let who = counted(people, "person has a picture", "people have pictures")
        return """
            \(database) says that \(who), but there are none: copy \
            \(database)-pictures from where it was to the same folder; or rollcall pictures fetches them again\(photos)
            """
    }
}
