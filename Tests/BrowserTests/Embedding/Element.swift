extension BrowserTests {
    /// The element in a page, its people, and what follows them.
    static let list = "$('rollcall-users')"
    static let root = "\(list).shadowRoot"
    static let users = "[...\(root).querySelectorAll('.user')]"
    static let more = "\(root).getElementById('more')"

    static func element(_ stage: BrowserFixture, _ query: String = "", attributes: String = "") -> String {
        """
        <rollcall-users src="\(stage.site)/fragment\(query)" \(attributes)><a href="\(stage.site)/">People</a></rollcall-users>
        """
    }
}
