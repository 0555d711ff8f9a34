/// Returns what the error says that `body` throws; empty if it throws none.
public func message(of body: () throws -> Void) -> String {
    do { try body() } catch { return "\(error)" }
    return ""
}
