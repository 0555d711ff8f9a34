import Template

/// An `<option>` of the form.
enum OptionField: Int, TemplateField {
    case value, label, isSelected

    static let kinds = FieldKinds<Self>(flags: [.isSelected])
}

/// A filter of the form: a group of checkboxes.
enum FilterMenuField: Int, TemplateField {
    case name, label
    /// On another site: the key of the filter, and the number of chosen values; empty for none.
    case key, chosenCount
    /// The values that are shown at once, and those that are folded in.
    case options, folded
    /// Whether there are more values than those shown, and their number; empty if none is shown.
    case hasMore, more
    /// The page of all values, empty if the form has all of them; and their number, which the page or an empty `more`
    /// needs.
    case valuesHref, valueCount
    /// Whether the filter is a range: of numbers, or of dates; and the ends of the chosen one.
    case hasRange, isDate, from, to

    static let kinds = FieldKinds<Self>(
        flags: [.hasMore, .hasRange, .isDate], urls: [.valuesHref],
        lists: [.options: ChoiceField.self, .folded: ChoiceField.self])
}

/// `_choice.mustache`: a value of a filter, as a checkbox. `name` is the filter's.
enum ChoiceField: Int, TemplateField {
    case value, label, isChecked
    /// The number of people with the value among those that match everything else; empty if it is not counted.
    case count
    /// Whether that number is 0.
    case hasNobody

    static let kinds = FieldKinds<Self>(flags: [.isChecked, .hasNobody])
}

/// An `<input type="hidden">` of the form.
enum HiddenField: Int, TemplateField {
    case name, value
}
