/// The person whom a command means: all users with a login or handle, ignoring case, or one user.
public enum PersonSelector: Equatable, Sendable {
    case login(String)
    case id(Int64)
    /// The value of the column by which an import identified the user (`--key`).
    case key(String)
}
