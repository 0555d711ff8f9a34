extension FieldPlan {
    /// The headings of the file that filled the directory, in order; empty if they are not known.
    public var columns: [String] { settings.own.columns ?? settings.inferred.columns ?? [] }

    /// Returns who may see a column of the source: everybody if a public field reads it, or else the publisher if a
    /// private field does. The setting ``others`` decides about columns that no field reads.
    public func visibility(ofColumn heading: String) -> FieldVisibility {
        let readers = fields.filter { $0.source.columns.contains(heading) }
        if readers.isEmpty { return others }
        let visibilities = readers.map(\.visibility)
        return visibilities.contains(.public) ? .public : visibilities.contains(.private) ? .private : .never
    }

    /// Returns the first field that is this column and nothing else, or `nil`.
    public func field(ofColumn heading: String) -> Field? { fields.first { $0.source.onlyColumn == heading } }
}
