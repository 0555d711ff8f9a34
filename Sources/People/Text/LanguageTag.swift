extension String {
    /// The language of a tag (RFC 5646 §2.2.1), or of the name of a locale, in lower case: `pt` of `pt-BR` and `PT_br`.
    package var primaryLanguage: String { String(lowercased().prefix { $0 != "-" && $0 != "_" }) }
}
