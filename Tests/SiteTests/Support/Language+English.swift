@testable import Site

extension Languages {
    /// Those in the program, which all tests share: to compile the templates takes longer than most tests.
    static let builtIn = try! Languages(.builtIn)
}

extension Language {
    static let english = Languages.builtIn[.en]
}
