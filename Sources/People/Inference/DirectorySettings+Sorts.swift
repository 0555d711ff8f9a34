extension DirectorySettings {
    /// Adds the orders by fields that are numbers or dates now but not in `earlier`, as inference would have: the
    /// publisher has named the format of dates, for example.
    public mutating func offerSorts(notIn earlier: DirectorySettings) {
        let isSortable = { (field: Field) in field.type == .number || field.type == .date }
        let earlierKeys = Set(FieldPlan(earlier).fields.filter(isSortable).map(\.key))
        for field in FieldPlan(self).fields where isSortable(field) && field.visibility == .public {
            let sorts = inferred.sorts ?? []
            guard !earlierKeys.contains(field.key), field.role != .id, field.role != .reputation,
                !sorts.contains(field.key), sorts.count < SettingsLimits.sorts
            else { continue }
            inferred.sorts = sorts + [field.key]
        }
    }
}
