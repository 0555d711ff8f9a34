extension CaseIterable where Self: RawRepresentable<String> {
    /// Returns the cases with these names, which are separated by commas.
    public static func named(_ names: String) throws -> [Self] {
        try names.split(separator: ",").map { name in
            guard let found = Self(rawValue: String(name)) else {
                throw Failure("there is no '\(name)'; expected \(allCases.map(\.rawValue).joined(separator: ", "))")
            }
            return found
        }
    }
}
