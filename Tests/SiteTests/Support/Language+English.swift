@testable import Site

extension Language {
    static let english = try! Languages(.builtIn)[.en]
}
