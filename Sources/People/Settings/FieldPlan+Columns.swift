extension FieldPlan {
    /// Whether only private sites show the directory.
    public var isPrivate: Bool { settings.own.isPrivate ?? settings.inferred.isPrivate ?? false }

    /// Whether a column of `earlier` is not stored any more.
    public func erasesColumns(of earlier: FieldPlan) -> Bool {
        others == .never && earlier.others != .never
            || (earlier.columns + earlier.sourceColumns + sourceColumns).contains { erases($0, of: earlier) }
    }

    /// Whether the values of `column` are not stored any more, and `earlier` stored them.
    public func erases(_ column: String, of earlier: FieldPlan) -> Bool {
        visibility(ofColumn: column) == .never && earlier.visibility(ofColumn: column) != .never
    }

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
