/// What a process opens a database for.
public enum StorePurpose: Sendable {
    /// To serve it: the block directories are kept in memory for fast pages, about 10 MiB for ten million users.
    /// Creates a database that does not exist.
    case serving
    /// To read one that exists, in the same way.
    case reading
    /// To change one that exists.
    case changing
    /// To import. Creates a database that does not exist.
    case importing
    /// To copy another one into it, or to go on with that. Creates a database that does not exist.
    case copying

    package var isReading: Bool { [.serving, .reading].contains(self) }
    package var creates: Bool { ![.reading, .changing].contains(self) }
}
