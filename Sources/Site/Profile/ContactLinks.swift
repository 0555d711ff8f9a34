import People

/// The ways to reach a person, as buttons, and the details that are left.
struct ContactLinks {
    struct Link: Equatable {
        var label: String
        var href: String

        /// Whether the link leads to another site, and not to a program for mail or calls.
        var isExternal: Bool { href.isWebURL }
    }

    private(set) var links: [Link] = []
    /// Addresses and numbers for mail and calls stay, because people read them out. Web pages do not.
    private(set) var facts: [ProfileField] = []

    /// Further web pages stay among the details.
    private static let maxCount = 6

    init(_ details: Details) {
        for fact in details.facts {
            let found = fact.values.compactMap { value in value.href.map { Self.link(fact, $0) } }
            guard !found.isEmpty, links.count + found.count <= Self.maxCount else {
                facts.append(fact)
                continue
            }
            links += found
            if found.count < fact.values.count || found.contains(where: { !$0.isExternal }) { facts.append(fact) }
        }
        // Mail first: the first button is the filled one.
        links = links.filter { $0.href.hasPrefix("mailto:") } + links.filter { !$0.href.hasPrefix("mailto:") }
    }

    /// A website is named by its host, any other link by its label.
    private static func link(_ fact: ProfileField, _ href: String) -> Link {
        let isWebsite = href.isWebURL && (fact.role == .website || fact.values.count > 1)
        return Link(label: isWebsite ? href.host : fact.label, href: href)
    }
}

extension String {
    /// The host of an http or https URL, to show.
    fileprivate var host: String {
        let host = split(separator: "/", maxSplits: 2).dropFirst().first?.prefix { $0 != "?" && $0 != "#" } ?? ""
        let name = host.split(separator: "@").last ?? ""
        return String(name.hasPrefix("www.") ? name.dropFirst(4) : name)
    }
}
