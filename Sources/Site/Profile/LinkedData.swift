import Base
import People

/// A person for programs that read pages: JSON-LD 1.1 with the terms of schema.org.
extension Details {
    /// Appends a `<script>` with data about `person`, whose details these are. Browsers do not run it, and a content
    /// security policy does not concern it (HTML, "prepare the script element"). JSON strings escape `<`, so no name
    /// can end the element.
    ///
    /// - Parameter appendURL: appends the absolute URL of the page, or nothing if it is not known.
    func appendLinkedData(
        of person: Profile, _ addresses: PersonAddresses, to buffer: ByteBuffer, _ appendURL: (ByteBuffer) -> Void
    ) {
        let kind = person.kind
        buffer.append("<script type=\"application/ld+json\">")
        var object = ObjectWriter(buffer)
        object.add("@context", json: #""https://schema.org""#)
        object.add("@type") { $0.append(kind.names.schema) }
        object.add("name", ifAny: person.displayName)
        if person.showsLogin { object.add("alternateName", ifAny: person.login) }
        if person.showsID { object.add("identifier") { $0.append(decimal: person.id) } }
        object.add("url", ifAny: String(writing: appendURL))
        object.add("image", ifAny: String(writing: { addresses.append(photoOf: person, to: $0) }))
        object.add("sameAs", webPages)
        object.add("description", ifAny: biography)
        if kind == .person { add(to: &object) }
        // Programs have no home.
        if kind != .software { addPlace(of: kind, to: &object) }
        object.add("email", ifAny: url(.email, scheme: "mailto:"))
        object.add("telephone", ifAny: url(.phone, scheme: "tel:"))
        object.close()
        buffer.append("</script>")
    }

    private func add(to object: inout ObjectWriter) {
        object.add("givenName", ifAny: text(.firstName))
        object.add("familyName", ifAny: text(.lastName))
        object.add("jobTitle", ifAny: text(.title))
        object.add("worksFor", "Organization") { employer in
            employer.add("name", ifAny: text(.organization))
            employer.add("department", "Organization") { $0.add("name", ifAny: text(.department)) }
        }
        object.add("knowsAbout", list(.skills))
        object.add("knowsLanguage", list(.languages))
    }

    private func addPlace(of kind: AccountKind, to object: inout ObjectWriter) {
        let ofPerson: StaticString = worksAtPlace ? "workLocation" : "homeLocation"
        object.add(kind == .organization ? "location" : ofPerson, "Place") { location in
            location.add("name", ifAny: text(.location))
            location.add("address", "PostalAddress") { $0.add("addressCountry", ifAny: text(.country)) }
        }
    }
}

extension ObjectWriter {
    fileprivate mutating func add(_ key: StaticString, ifAny text: Bytes) {
        if !text.isEmpty { add(key, text: text) }
    }

    fileprivate mutating func add(_ key: StaticString, ifAny text: String?) {
        if let text, !text.isEmpty { add(key, string: text) }
    }

    fileprivate mutating func add(_ key: StaticString, _ elements: [String]) {
        if elements.isEmpty { return }
        start(key)
        buffer.append(array: elements) { $1.append(jsonString: $0) }
    }

    /// Adds an object of a type of schema.org, unless it has no other members.
    fileprivate mutating func add(_ key: StaticString, _ type: String, _ addMembers: (inout ObjectWriter) -> Void) {
        let (before, start) = (self, buffer.count)
        self.start(key)
        var object = ObjectWriter(buffer)
        object.add("@type", string: type)
        let empty = buffer.count
        addMembers(&object)
        object.close()
        if buffer.count == empty + 1 {
            buffer.truncate(to: start)
            self = before
        }
    }
}
