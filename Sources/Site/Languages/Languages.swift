import Assets
import Synchronization

/// All languages of the interface. Each is read when the first page in it is rendered, because most servers need one
/// or two of them.
final class Languages: Sendable {
    private let assets: Assets
    private let english: Language
    /// In the order of `LanguageCode.allCases`.
    private let known: Mutex<[Language?]>
    /// Changes with any byte of any template and any message.
    let fingerprint: UInt64

    /// Throws a `TemplateError` or a ``CatalogueError`` if a template or a catalogue is broken. Those in the program
    /// are tested, so only a publisher's are all read at the start.
    init(_ assets: Assets) throws {
        self.assets = assets
        let english = try Language(.en, assets, or: nil)
        self.english = english
        known = Mutex(
            try LanguageCode.allCases.map { code in
                if code == .en { return english }
                return assets.hasOwnTemplates ? try Language(code, assets, or: english) : nil
            })
        var hash = StableHash()
        for name in assets.templateNames.sorted() {
            hash.combine(name)
            assets.template(name)?.withUnsafeBytes { hash.combine($0) }
        }
        for file in LanguageCode.allCases.flatMap({ assets.catalogues($0.rawValue) }) {
            file.bytes.withUnsafeBytes { hash.combine($0) }
        }
        fingerprint = hash.value
    }

    subscript(code: LanguageCode) -> Language {
        known.withLock { known in
            if let language = known[code.index] { return language }
            let language = (try? Language(code, assets, or: english)) ?? english
            known[code.index] = language
            return language
        }
    }
}
