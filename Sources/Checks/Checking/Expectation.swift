import Base
import HTTPClient

extension WebAddress {
    /// Throws what is wrong in the answer from here unless `holds`.
    func expect(_ holds: Bool, _ wrong: @autoclosure () -> String) throws(RollcallError) {
        if !holds { throw fault(wrong()) }
    }

    /// Returns what `read` finds in the answer from here. Errors name the address.
    func reading<Result>(_ read: () throws -> Result) throws(RollcallError) -> Result {
        do { return try read() } catch { throw fault("\(error)") }
    }

    /// An inconsistency in the answer from here.
    func fault(_ wrong: String) -> RollcallError { RollcallError("\(target): \(wrong)") }
}
