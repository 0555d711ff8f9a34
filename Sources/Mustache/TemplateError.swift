/// What is wrong with a template, and where: `home.mustache:3:7: section "users" is never closed`.
public struct TemplateError: Error, Equatable, CustomStringConvertible {
    /// The file that has the fault: the partial's own, if it is inside a partial.
    public let file: String
    /// From 1.
    public let line: Int
    /// From 1, in Unicode scalars, as editors count.
    public let column: Int
    public let message: String

    public var description: String { "\(file):\(line):\(column): \(message)" }
}
