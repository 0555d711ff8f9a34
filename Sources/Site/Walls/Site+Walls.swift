import Base
import People

/// The documents that commands write without a server.
extension Site {
    /// Returns the image that `/wall.svg` serves with these parameters; `nil` if it would show nobody.
    public func wall(_ parameters: [(name: String, value: String)]) throws -> [UInt8]? {
        try withParameters(parameters) { list, query, renderer in
            let wall = try WallRequest(list, query).read(from: renderer.reader)
            if wall.value.people.users.rows.isEmpty { return nil }
            renderer.body.removeAll()
            wall.value.append(to: renderer.body, scratch: renderer.line)
            return [UInt8](renderer.body)
        }
    }

    /// Returns the first people of a list as a table.
    /// - Parameters:
    ///   - parameters: those of a wall that choose people.
    ///   - max: the most people.
    public func table(_ parameters: [(name: String, value: String)], max: Int, showsBots: Bool) throws -> PeopleTable {
        try withParameters(parameters) { list, _, renderer in
            let found = try WallPeople(of: list, max: max, showsBots: showsBots, from: renderer.reader)
            let language = languages[list.language?.code ?? .en]
            return PeopleTable(found, language, pictures: configuration.pictureMode(of: found.directory))
        }
    }

    /// Calls `body` with the list that parameters choose. Unknown ones are errors, as in any command. Throws a
    /// ``RollcallError`` in the words of a response.
    private func withParameters<Result>(
        _ parameters: [(name: String, value: String)],
        _ body: (PageRequest, QueryItems, PageRenderer) throws -> Result
    ) throws -> Result {
        let query = QueryItems(parameters)
        return try withRenderer { renderer in
            do {
                let list = try PageRequest(
                    .page, query: query, directories: DirectoryList(store.directories, configuration),
                    client: .unknown)
                try FilterParameters(query, list.directory).refuseOthers(than: WallRequest.names)
                return try body(list, query, renderer)
            } catch let error as HTTPError {
                throw RollcallError(error.message)
            }
        }
    }
}
