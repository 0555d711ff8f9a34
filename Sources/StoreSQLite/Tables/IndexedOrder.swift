import Directories
import SortIndex

/// The orders that have a sort index, by the numbers that the column `sort` of `userRank` has.
enum IndexedOrder: Int64, CaseIterable {
    case id, login, name, reputation

    init(_ key: Sort.Key) {
        switch key {
        case .id: self = .id
        case .login: self = .login
        case .name: self = .name
        case .reputation: self = .reputation
        case .field: self = .id
        }
    }

    /// The index of this order among all.
    var index: Int { Int(rawValue) }

    var kind: SortKey.Kind {
        switch self {
        case .id: .id
        case .login, .name: .text
        case .reputation: .number
        }
    }

    var isText: Bool { kind == .text }
}

