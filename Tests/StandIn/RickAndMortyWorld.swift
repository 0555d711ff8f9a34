import Server

/// The Rick and Morty API's `/api/character`: absolute links, and a 404 for an empty result.
public struct RickAndMortyWorld: World {
    private let characters: Int
    private let linkBase: String?

    /// Links lead to `linkBase`, or to the requested origin if it is `nil`.
    public init(characters: Int, linkBase: String? = nil) {
        self.characters = characters
        self.linkBase = linkBase
    }

    public func answer(_ asked: StandIn.Asked) -> Canned {
        guard asked.path == "/api/character" else { return Canned(404, #"{"error":"There is nothing here."}"#) }
        let page = max(1, Int(asked["page"] ?? "1") ?? 1)
        let pages = (characters + 19) / 20
        guard page <= pages else { return Canned(404, #"{"error":"There is nothing here"}"#) }
        let base = linkBase ?? "http://\(asked.authority)/api"
        let link = { (page: Int) in (1...pages).contains(page) ? "\"\(base)/character?page=\(page)\"" : "null" }
        let results = ((page - 1) * 20 + 1...min(page * 20, characters)).map(Self.character).joined(separator: ",")
        let tag = "W/\"\(characters)-\(page)\""
        if asked.validator == tag { return Canned(304).with("ETag", tag) }
        return Canned(
            200,
            #"{"info":{"count":\#(characters),"pages":\#(pages),"next":\#(link(page + 1)),"prev":\#(link(page - 1))},"results":[\#(results)]}"#
        ).with("ETag", tag)
    }

    private static func character(_ id: Int) -> String {
        #"{"id":\#(id),"name":"Rick’s Clone \#(id)","status":"\#(id % 2 == 0 ? "Alive" : "Dead")","species":"Human","type":"","gender":"Male","origin":{"name":"unknown","url":""},"location":{"name":"Earth","url":"https://rickandmortyapi.com/api/location/1"},"image":"https://rickandmortyapi.com/api/character/avatar/\#(id).jpeg","episode":["https://rickandmortyapi.com/api/episode/1"],"url":"https://rickandmortyapi.com/api/character/\#(id)","created":"2017-11-04T18:48:46.250Z"}"#
    }
}
