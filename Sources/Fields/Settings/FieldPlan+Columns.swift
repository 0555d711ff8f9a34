extension FieldPlan {
    /// Whether a field with `role` is private, or not stored.
    public func hides(_ role: FieldRole) -> Bool {
        fields.contains { $0.role == role && $0.visibility != .public }
    }

    /// The headings of the file that filled the directory, in order; empty if they are not known.
    public var columns: [String] { settings.own.columns ?? settings.inferred.columns ?? [] }

    /// Returns the visibility of the column `heading`: if several fields read it, the most restrictive of theirs. A
    /// withheld heading that no field reads is `never`.
    public func visibility(ofColumn heading: String) -> FieldVisibility {
        if let visibility = columnVisibilities[heading.lowercased()] { return visibility }
        if isEmpty { return others }
        return Withheld.matches(heading: heading) ? .never : others
    }

    /// Returns the first field that reads this column and nothing else, or `nil`.
    public func field(ofColumn heading: String) -> Field? {
        let lowered = heading.lowercased()
        return fields.first { $0.source.onlyColumn?.lowercased() == lowered }
    }
}
