import People
import Testing

@testable import Importers

/// A text, with the people that a reader finds in it, and its rejections.
struct Reading: CustomTestStringConvertible, Sendable {
    let testDescription: String
    private let text: String
    /// Their names, or else their logins.
    private let people: [String]
    /// How the rejections begin, with the error that ended the reading last.
    private let rejections: [String]
    private let format: ImportFormat?
    private let headerLine: Int?

    init(
        _ sentence: String, _ text: String, _ people: [String], _ rejections: [String] = [],
        as format: ImportFormat? = nil, headerLine: Int? = nil
    ) {
        (testDescription, self.text, self.people, self.rejections) = (sentence, text, people, rejections)
        (self.format, self.headerLine) = (format, headerLine)
    }

    func check() {
        let sink = read(text, format: format, headerLine: headerLine)
        #expect(sink.users.map { $0.name ?? $0.login } == people)
        #expect(sink.rejections.count == rejections.count, "\(sink.rejections)")
        for (found, start) in zip(sink.rejections, rejections) { #expect(found.hasPrefix(start)) }
    }
}
