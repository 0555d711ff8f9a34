import Base
import Indexes
import People
import Publishing

extension UserTables {
    /// The number of users whose values are in memory at once.
    private static let reindexedAtOnce = 32_768

    /// Derives searched texts, orders and filters from all rows again, by `settings` instead of `old`, and removes the
    /// values of `erasure` from the rows, if there is one. Calls `progress` with the number of users done.
    func reindex(
        from old: ResolvedSettings, to settings: ResolvedSettings, erasing erasure: Erasure?,
        _ progress: (Int) -> Void = { _ in }
    ) throws {
        let keepsFilters = erasure == nil && DerivedForm(settings.shown).hasSameFilters(as: DerivedForm(old.shown))
        if !keepsFilters { try filters.clear(settings.shown) }
        try orders.clear(settings.shown)
        try connection.execute("DELETE FROM userNGram\(directory)")
        let place = old.shown.orders.firstIndex { $0.key == "place" }.map(OrderKeys.position(ofOrder:))
        var last: Int64 = 0
        var count = 0
        while true {
            let batch = UserBatch(settings: settings)
            var values: [FilterValues] = []
            try readRows(after: last, place: place, into: batch, erasing: erasure, &values)
            guard let end = batch.records.last else { break }
            try save(derived: batch, keepsFilters ? values : nil, erases: erasure != nil)
            last = end.id
            count += batch.records.count
            progress(count)
        }
        if let erasure {
            try eraseHidden(erasure)
            if erasure.roles.contains(.photo) { try clearOwnPhotos() }
        }
        try filters.save()
        try connection.set(CollationStamp(language: settings.language), of: directory)
        let form = SearchedText.form(ofLanguage: settings.language)
        try connection.run("UPDATE directory SET textForm = ? WHERE id = ?", form, directory)
    }

    private func readRows(
        after id: Int64, place: Int?, into batch: UserBatch, erasing erasure: Erasure?,
        _ values: inout [FilterValues]
    ) throws {
        try connection.forEach(
            """
            SELECT \(SavedUser.columnNames), filters, content FROM user\(directory) JOIN userText\(directory) USING (id)
            WHERE id > ? ORDER BY id LIMIT \(Self.reindexedAtOnce)
            """, id
        ) { row in
            values.append(FilterValues(stored: row.blob(SavedUser.columnCount)))
            batch.append(entry(row, place: place, in: batch.buffer, erasing: erasure))
        }
    }

    private func entry(
        _ row: any StoreRow, place: Int?, in buffer: ByteBuffer, erasing erasure: Erasure? = nil
    ) -> UserToWrite {
        var user = UserToWrite(columns(row, erasing: erasure, keptIn: buffer))
        user.marks = row.userFlags()
        let keys = SavedText(row.blob(SavedUser.columnCount + 1)).keys
        if let place, case .number(let number) = keys.orderKey(at: place) { user.place = number }
        return user
    }

    /// Reads a user, hidden or not, who gets the id `new`.
    func readRow(of id: Int64, as new: Int64, into batch: UserBatch) throws {
        let place = batch.settings.shown.orders.firstIndex { $0.key == "place" }.map(OrderKeys.position(ofOrder:))
        _ = try connection.first(
            """
            SELECT \(SavedUser.columnNames), filters, content
            FROM user\(directory) JOIN userText\(directory) USING (id) WHERE id = ?1
            UNION ALL SELECT \(SavedUser.columnNamesOfHidden), filters, NULL FROM userHidden\(directory) WHERE id = ?1
            """, id
        ) { row in
            var user = entry(row, place: place, in: batch.buffer)
            user.id = new
            batch.append(user)
        }
    }

    private func columns(_ rows: any StoreRow, erasing erasure: Erasure?, keptIn buffer: ByteBuffer)
        -> UserColumns<ByteSlice>
    {
        var columns = rows.userColumns()
        guard let erasure else { return columns.map(buffer.keep) }
        let more = ByteBuffer(capacity: columns.more.count)
        columns.remove(photo: erasure.roles.contains(.photo), membersWhere: erasure.has(column:), restIn: more)
        return withExtendedLifetime(more) { columns.map(buffer.keep) }
    }

    private func save(derived batch: UserBatch, _ values: [FilterValues]?, erases: Bool) throws {
        let bytes = batch.buffer.bytes
        let changes = UserChanges(orders.orders, besideDirectoriesOf: 0)
        var added = IndexBuilder.Batch()
        for (index, user) in batch.records.enumerated() {
            let userValues = values?[index] ?? filters.values(of: user, bytes)
            if values == nil {
                filters.change(from: FilterValues(), to: userValues)
                try userValues.bytes.withUnsafeBytes { try rows.setFilters($0, of: user.id) }
            }
            if erases { try saveErased(user.columns, user.flags, bytes) }
            try updateText(user, bytes)
            let kept = changes.add(user, from: bytes)
            let firstTag = added.tags.count
            userValues.forEach { added.tags.append($0.tag) }
            if user.hasVariants { added.tags.append(.hasVariants) }
            added.texts.append((user.id, kept, firstTag..<added.tags.count))
        }
        added.bytes = Array(changes.texts.bytes)
        builder.add(added)
        try applyOrdersAndPostings(changes)
    }

    private func saveErased(
        _ columns: UserColumns<ByteSlice>, _ flags: UserFlags, _ bytes: UnsafeRawBufferPointer, table: String = "user"
    ) throws {
        let update = try connection.statement(SavedUser.erasure(from: "\(table)\(directory)"))
        update.bind(columns.bytes(in: bytes), flags: Int64(flags.rawValue))
        try update.run()
    }

    /// Clears photos of the publisher's own: people have them without an address, so ``SavedUser/erasure(from:)`` may
    /// leave them.
    private func clearOwnPhotos() throws {
        for table in Table.ofPeople(in: directory) {
            try connection.execute("UPDATE \(table) SET picture = NULL, hasOwnPicture = 0 WHERE hasOwnPicture <> 0")
        }
    }

    /// Removes the values of `erasure` from hidden users. There are few of them.
    private func eraseHidden(_ erasure: Erasure) throws {
        let buffer = ByteBuffer()
        let users = try connection.all("SELECT \(SavedUser.columnNames) FROM userHidden\(directory)") { row in
            (columns: columns(row, erasing: erasure, keptIn: buffer), flags: row.userFlags())
        }
        for user in users { try saveErased(user.columns, user.flags, buffer.bytes, table: "userHidden") }
    }
}
