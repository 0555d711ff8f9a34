import People

extension Details {
    /// A way to reach a person, as a button. An external one leads to another site, and not to a program for mail or
    /// calls.
    typealias Contact = (label: String, href: String, isExternal: Bool)

    /// Further web pages stay among the details.
    private static let maxContacts = 6

    /// The ways to reach the person, and the details that are left. Addresses and numbers for mail and calls stay,
    /// because people read them out. Web pages do not.
    var contacts: (links: [Contact], facts: [ProfileField]) {
        var (links, left): ([Contact], [ProfileField]) = ([], [])
        for fact in facts {
            let found = fact.values.compactMap { value in value.href.map { Self.link(fact, $0) } }
            guard !found.isEmpty, links.count + found.count <= Self.maxContacts else {
                left.append(fact)
                continue
            }
            links += found
            if found.count < fact.values.count || found.contains(where: { !$0.isExternal }) { left.append(fact) }
        }
        // Mail first: the first button is the filled one.
        links = links.filter { $0.href.hasPrefix("mailto:") } + links.filter { !$0.href.hasPrefix("mailto:") }
        return (links, left)
    }

    /// A website is named by its host, any other link by its label.
    private static func link(_ fact: ProfileField, _ href: String) -> Contact {
        let isWebsite = href.isWebURL && (fact.role == .website || fact.values.count > 1)
        return (isWebsite ? href.host : fact.label, href, href.isWebURL)
    }
}

extension String {
    /// The host of an http or https URL, to show.
    fileprivate var host: String {
        let host = split(separator: "/", maxSplits: 2).dropFirst().first?.prefix { !"?#".contains($0) } ?? ""
        let name = host.split(separator: "@").last ?? ""
        return String(name.hasPrefix("www.") ? name.dropFirst(4) : name)
    }
}
