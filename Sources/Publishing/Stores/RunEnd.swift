/// How an import, or the fetching of pictures, has ended.
public enum RunEnd: Sendable {
    case complete, cancelled
    case failed(any Error)

    public var isComplete: Bool { if case .complete = self { true } else { false } }

    /// The word for programs.
    public var name: String {
        switch self {
        case .complete: "complete"
        case .cancelled: "interrupted"
        case .failed: "failed"
        }
    }
}
