import Foundation

extension Data {
    /// The bytes of a file. `Data(contentsOf:)` loses a buffer for a file that is empty when it is opened, such as a
    /// table without rows, or the output of a program that has just started: the address sanitizer reports that.
    public init(ofFile file: URL) throws {
        self = try FileHandle(forReadingFrom: file).readToEnd() ?? Data()
    }
}
