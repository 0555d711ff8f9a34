import Foundation

/// The reason that an import from a service ended early.
public struct ServiceError: Error, Equatable, CustomStringConvertible {
    public enum Kind: Equatable, Sendable {
        /// The service allows requests again at this time.
        case comeBack(Date)
        /// It could not be reached, or did not work, after all retries.
        case unreachable
        /// A retry does not help until somebody changes something.
        case refused
    }

    public var kind: Kind
    public var reason: String

    public init(_ kind: Kind, _ reason: String) {
        self.kind = kind
        self.reason = reason
    }

    public var description: String {
        guard case .comeBack(let date) = kind else { return reason }
        return "\(reason); come back at \(date.ISO8601Format())"
    }
}
