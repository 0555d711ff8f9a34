import Base
import People

/// Writes users as the Rick and Morty API writes characters (rickandmortyapi.com/documentation).
///
/// Characters imported from there keep their members. Members that other users lack are `unknown` or empty, as there.
struct CharacterJSON {
    let request: CharacterRequest
    let addresses: PersonAddresses
    let body: ByteBuffer

    func append(_ person: Profile) {
        let kept = JSON.Members(of: person.more)
        let isCharacter = kept.has("species") && kept.has("status")
        var object = ObjectWriter(body)
        object.add("id", number: person.id)
        object.add("name", text: person.displayName)
        if isCharacter { add(kept, to: &object) }
        addRest(kept, isCharacter, person, to: &object)
        object.add("type", string: person.type)
        object.start("image")
        addresses.pictures.append(jsonOf: person, to: body)
        object.close()
    }

    private func add(_ kept: JSON.Members, to object: inout ObjectWriter) {
        let columnKeys: [StaticString] = ["id", "name", "type", "image"]
        for index in kept.indices {
            let key = kept.key(at: index)
            if !columnKeys.contains(where: { key.equals($0) }) { object.add(key, kept.value(at: index)) }
        }
    }

    private func addRest(_ kept: JSON.Members, _ isCharacter: Bool, _ person: Profile, to object: inout ObjectWriter) {
        func lacks(_ key: StaticString) -> Bool { !isCharacter || !kept.has(key) }
        for key in ["status", "species", "gender"] as [StaticString] where lacks(key) {
            object.add(key, json: #""unknown""#)
        }
        let location = kept.text("location")?.text ?? person.fields.value(of: .location)?.plainText
        let places: [(StaticString, String?)] = [("origin", kept.text("origin")?.text), ("location", location)]
        for (key, name) in places where lacks(key) {
            object.addObject(key) { place in
                place.add("name", string: name?.trimmedOrNil ?? "unknown")
                place.add("url", string: "")
            }
        }
        if lacks("episode") { object.add("episode", json: "[]") }
        if lacks("url") {
            object.add("url") { buffer in
                buffer.append(utf8: addresses.home)
                request.append(urlOf: person.id, to: buffer)
            }
        }
        if lacks("created") { object.add("created") { appendMoment(kept, to: $0) } }
    }

    private func appendMoment(_ kept: JSON.Members, to buffer: ByteBuffer) {
        if let text = kept["created_at"]?.string?.raw, ISOTime(text)?.offset == 0 {
            buffer.append(text)
        } else if let seconds = kept["creation_date"]?.int64, (0..<253_402_300_800).contains(seconds) {
            CivilTime(secondsSince1970: Int(seconds)).appendISO8601(to: buffer)
        }
    }

    /// Appends the absolute URL of another page of the same list.
    func append(addressOfPage page: Int, to buffer: ByteBuffer) {
        buffer.append(utf8: addresses.home)
        request.append(urlOfPage: page, to: buffer)
    }
}
