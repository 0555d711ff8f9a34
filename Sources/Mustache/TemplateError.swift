/// An error in a template, with its position: `home.mustache:3:7: section "users" is never closed`.
public struct TemplateError: Error, Equatable, CustomStringConvertible {
    /// The file that contains the error: the partial itself if the error is in a partial.
    public let file: String
    /// Counted from 1.
    public let line: Int
    /// Counted from 1, in Unicode scalars, as editors do.
    public let column: Int
    public let message: String

    public var description: String { "\(file):\(line):\(column): \(message)" }
}
