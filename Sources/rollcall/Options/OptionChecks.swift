import ArgumentParser
import Base
import Foundation
import HTTPClient

/// Returns what `body` returns. An error of it becomes one of the command line, behind `prefix`, such as an option.
func checked<Value>(_ prefix: String = "", _ body: () throws -> Value) throws -> Value {
    do { return try body() } catch { throw ValidationError("\(prefix)\(error)") }
}

/// Throws what is wrong with the command line unless `holds`.
func expect(_ holds: Bool, _ wrong: @autoclosure () -> String) throws(ValidationError) {
    if !holds { throw ValidationError(wrong()) }
}

/// Returns the value. If it is missing, throws what is wrong with the command line.
func required<Value>(_ value: Value?, _ wrong: @autoclosure () -> String) throws(ValidationError) -> Value {
    guard let value else { throw ValidationError(wrong()) }
    return value
}

/// Throws unless `text`, the value of `option`, is one line of at most 1,000 characters, fit for pages and terminals.
func expectLine(_ text: String?, of option: String) throws {
    let scalars = (text ?? "").unicodeScalars
    try expect(
        !scalars.contains(where: \.breaksLine),
        "\(option): expected a line of text, found control characters or line breaks")
    try expect(
        text?.isDeceptive != true,
        "\(option): expected text without characters that change its direction (U+202A to U+202E, U+2066 to U+2069)")
    try expect(
        scalars.count <= 1000, "\(option): expected at most 1,000 characters, found \(grouped(scalars.count))")
}

extension Unicode.Scalar {
    fileprivate var breaksLine: Bool {
        [.control, .lineSeparator, .paragraphSeparator].contains(properties.generalCategory)
    }
}

/// Throws unless `interval`, the value of `option`, lasts a second.
func expectSecond(_ interval: Interval?, of option: String) throws {
    guard let interval else { return }
    try expect(
        interval.duration >= .seconds(1), "\(option): expected one second or more, as in 10m, found \(interval)")
}

/// Reads the value of `option`, which has `form`, such as `KEY=VALUE`. The first `=` ends the name; the value may be
/// empty.
func nameAndValue(_ text: String, of option: String, as form: String) throws -> (name: String, value: String) {
    let sign = text.firstIndex(of: "=") ?? text.startIndex
    try expect(sign != text.startIndex, "\(option): expected \(form), found \"\(text)\"")
    return (String(text[..<sign]), String(text[text.index(after: sign)...]))
}

/// The same for a value that must not be empty.
func nameAndText(_ text: String, of option: String, as form: String) throws -> (name: String, value: String) {
    let parts = try nameAndValue(text, of: option, as: form)
    try expect(!parts.value.isEmpty, "\(option): expected \(form), found \"\(text)\"")
    return parts
}

/// Reads the value of `option`, a URL; `nil` if it is not given. The error does not repeat it.
func webAddress(_ text: String?, of option: String) throws -> WebAddress? {
    try text.map { text in try checked("\(option): ") { try WebAddress(text) } }
}

/// Reads the value of `option`: addresses and blocks of addresses, separated by commas; empty for none.
func addressRanges(_ text: String, of option: String) throws -> [AddressRange] {
    if text.isEmpty { return [] }
    return try text.split(separator: ",", omittingEmptySubsequences: false).map { item in
        let item = item.trimmingCharacters(in: .whitespaces)
        return try required(
            AddressRange(item), "\(option): expected addresses like 127.0.0.1 or 10.0.0.0/8, found “\(item)”")
    }
}

/// Returns the text of the file at `path`, the value of `option`.
func text(of path: String, for option: String) throws -> String {
    // It may begin with a byte order mark, which this leaves out.
    try required(
        String(bytes: contents(of: path, for: option), encoding: .utf8), "\(option): expected text in UTF-8 in \(path)")
}

/// Returns the bytes of the file at `path`, the value of `option`, which may also be a pipe from a program that keeps
/// secrets.
func contents(of path: String, for option: String) throws -> Data {
    let descriptor = SystemFile.open(path, O_RDONLY)
    try expect(descriptor >= 0, "\(option): cannot open \(path): \(SystemFile.reason)")
    do {
        return try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).readToEnd() ?? Data()
    } catch { throw ValidationError("\(option): cannot read \(path): it is not a file") }
}
