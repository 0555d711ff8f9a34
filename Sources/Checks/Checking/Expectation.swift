import Base
import HTTPClient

/// Throws what is wrong unless `holds`.
func expect(_ holds: Bool, _ wrong: @autoclosure () -> String) throws(RollcallError) {
    if !holds { throw RollcallError(wrong()) }
}

/// Returns the value. If it is missing, throws an error that says what is wrong.
func required<Value>(_ value: Value?, _ wrong: @autoclosure () -> String) throws(RollcallError) -> Value {
    guard let value else { throw RollcallError(wrong()) }
    return value
}

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
