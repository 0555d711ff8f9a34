public enum FieldFormat {
    public static let dates = ["dmy", "mdy", "ymd"]
    public static let numbers = ["1.234,5", "1,234.5", "1 234,5"]
    /// Numbers that name something, such as years and member numbers: without separators, and never grouped.
    public static let plain = "plain"
}
