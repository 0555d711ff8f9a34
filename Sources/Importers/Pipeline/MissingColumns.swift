import Base
import People

/// Decides about the values of columns that the last import had and this one lacks.
public enum MissingColumns: String, CaseIterable, Sendable {
    case keep, erase
}

/// The people of a directory. An import asks about them before it changes anything.
public protocol StoredPeople: Sendable {
    /// Returns how many people have a value in each of `columns`. Columns that nobody has a value in are left out.
    func holders(of columns: [String]) throws -> [ColumnHolders.Count]

    /// Throws an error unless the publisher agrees that `settings` erase stored values, or if they erase none.
    func agree(to settings: DirectorySettings) throws
}

extension ImportSettings {
    /// Throws an error if more than half of the people have a value in one of the columns that the file lacks.
    ///
    /// - Parameters:
    ///   - missing: The stored columns that the file lacks.
    ///   - columns: The columns of the file.
    func checkMissing(_ missing: [String], in resolved: ResolvedSettings, columns: [String]) throws {
        let (old, found) = (ResolvedSettings(stored), Set(columns.map { $0.lowercased() }))
        // A field misses nothing if it now reads other columns and the file has them all.
        let asked = missing.filter { column in
            let reads = { (field: Field) in field.source.columns.contains { $0.lowercased() == column.lowercased() } }
            guard let key = old.fields.first(where: reads)?.key,
                let field = resolved.fields.first(where: { $0.key == key })
            else { return true }
            return !field.source.columns.allSatisfy { found.contains($0.lowercased()) }
        }
        if asked.isEmpty { return }
        let most = try people?.holders(of: asked).filter { $0.people * 2 > total } ?? []
        guard let first = most.first else { return }
        let reading = resolved.fields.first { field in
            field.source.columns.contains { $0.lowercased() == first.column.lowercased() }
        }
        throw MissingColumnsRefusal(columns: most, total: total, key: reading?.key ?? "KEY")
    }
}

/// The error of a file without a column that most people have a value in. The source adds its name.
struct MissingColumnsRefusal: Error {
    let columns: [ColumnHolders.Count]
    let total: Int
    /// The key of the field that reads the first column.
    let key: String

    func error(_ file: String) -> ImportError {
        let all = total == 1 ? "1 person" : "\(total.grouped) people"
        let lacks = columns.map { "\($0.column), which \($0.people.grouped) of \(all) have" }.joined(
            separator: ", and ")
        return ImportError(
            """
            \(file) lacks \(lacks): nothing was saved. --missing keep leaves the values, --missing erase removes them, \
            --map \(key)=COLUMN reads another
            """)
    }
}
