import People

extension Filter {
    static let type = Filter("type")
    /// The filters of services.
    static let status = Filter("status")
    static let species = Filter("species")
    static let gender = Filter("gender")
}
