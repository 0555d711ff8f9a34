import Base
import Testing

@testable import Site

@Suite("Profile fields")
struct ProfileFieldTests {
    private func sheet(_ more: String) -> Details {
        let bytes = Array(more.utf8)
        var fields = Details(bytes.span, .english)
        // The label tells them apart.
        for index in fields.facts.indices { (fields.facts[index].key, fields.facts[index].role) = ("", nil) }
        return fields
    }

    private func field(_ label: String, _ values: ProfileValue...) -> ProfileField {
        ProfileField(label: label, values: values, key: "")
    }

    /// Returns the fields as lines: `Label: value, value`.
    private func lines(_ more: String) -> [String] {
        sheet(more).facts.map { "\($0.label): \($0.values.map(\.text).joined(separator: " | "))" }
    }

    @Test func gitHubFieldsAreShown() {
        let sheet = sheet(
            #"{"node_id":"x","gravatar_id":"","url":"https://api.github.com/users/a","followers_url":"y","site_admin":false,"company":"@github","blog":"tom.example.com/a","location":"San Francisco","hireable":true,"bio":" Builds\nthings ","twitter_username":"tom","public_repos":66,"public_gists":7,"followers":24102,"following":11,"created_at":"2007-10-20T05:24:19Z"}"#
        )
        #expect(sheet.biography == "Builds\nthings")
        #expect(sheet.figures.map(\.label) == ["Followers", "Following", "Repositories", "Gists"])
        #expect(sheet.figures.map { $0.values[0].text } == ["24,102", "11", "66", "7"])
        #expect(
            sheet.facts == [
                field("Company", ProfileValue("@github")), field("Location", ProfileValue("San Francisco")),
                field("Website", ProfileValue("tom.example.com/a", href: "https://tom.example.com/a")),
                field("Twitter", ProfileValue("@tom", href: "https://x.com/tom")),
                field("Available for hire", ProfileValue("Yes")),
                field("Joined", ProfileValue("20 October 2007", dateTime: "2007-10-20T05:24:19Z")),
            ])
    }

    @Test func stackExchangeFieldsAreShown() {
        #expect(
            lines(
                #"{"badge_counts":{"bronze":7741,"silver":6906,"gold":545},"account_id":1,"is_employee":false,"last_access_date":1493205320,"reputation_change_year":25001,"reputation_change_day":-2,"creation_date":1222430705,"accept_rate":89,"website_url":"http://csharpindepth.com/","age":40}"#
            ) == [
                "Age: 40", "Website: csharpindepth.com", "Badges: 545 gold, 6,906 silver, 7,741 bronze",
                "Accept rate: 89%", "Reputation this year: +25,001", "Reputation this day: -2",
                "Joined: 26 September 2008", "Last seen: 26 April 2017",
            ])
    }

    @Test func htmlTextIsShownAsPlainText() {
        let text = sheet(
            #"{"about_me":"<p>Author of <a href=\"x\">C# in Depth</a> &amp; more.</p>\n\n<p>5 &lt; 6<br>&lt;b&gt;</p>"}"#
        )
        #expect(text.biography == "Author of C# in Depth & more.\n\n5 < 6\n<b>")
        #expect(text.facts == [])
    }

    @Test func rickAndMortyFieldsAreShown() {
        #expect(
            lines(
                #"{"status":"Alive","species":"Human","gender":"Male","origin":{"name":"Earth (C-137)","url":"https://a.example/1"},"location":{"name":"Citadel","url":"https://a.example/3"},"episode":["https://a.example/e/1","https://a.example/e/2"],"url":"https://a.example/c/1","created":"2017-11-04T18:48:46.250Z"}"#
            ) == [
                "Status: Alive", "Species: Human", "Gender: Male", "Origin: Earth (C-137)", "Location: Citadel",
                "Episodes: 2", "Created: 4 November 2017",
            ])
    }

    @Test func fieldsOfOtherSourcesAreShown() {
        let sheet = sheet(
            #"{"tags":["a","b",3],"pages":["https://a.example/","https://b.example/x"],"bot":false,"twitterHandle":"x","born":1984,"salary":123456,"at":{"street":"High Street","floor":2},"day_of-birth":"1984-02-29","gone":null,"none":"","picture_url":"https://c.example","empty":{},"also":[]}"#
        )
        #expect(
            sheet.facts == [
                field("Tags", ProfileValue("a, b, 3")),
                field(
                    "Pages", ProfileValue("a.example", href: "https://a.example/"),
                    ProfileValue("b.example/x", href: "https://b.example/x")), field("Bot", ProfileValue("No")),
                field("TwitterHandle", ProfileValue("x")), field("Born", ProfileValue("1984")),
                field("Salary", ProfileValue("123,456")), field("At", ProfileValue("street: High Street, 2 floor")),
                field("Day of birth", ProfileValue("29 February 1984", dateTime: "1984-02-29")),
            ])
        #expect(self.sheet("[1]") == self.sheet(""))
    }

    @Test(arguments: [
        ("2020-02-30", nil), ("2020-13-01", nil), ("0000-01-01", nil), ("2020-01-01 or so", nil), ("2020-1-1", nil),
        ("2020-01-01T25:00:00Z", "2020-01-01"), ("2020-01-01 10:20", "2020-01-01"),
        ("2020-01-01T10:20:30+02:00", "2020-01-01T10:20:30+02:00"), ("2020-01-01T10:20:30.1234Z", "2020-01-01"),
        ("2020-01-01T10:20:30.123Z", "2020-01-01T10:20:30.123Z"), ("2020-01-01T10:20:30Zz", "2020-01-01"),
    ])
    func onlyCalendarDatesAreDates(_ text: String, _ dateTime: String?) {
        let value = sheet(#"{"since":"\#(text)"}"#).facts.first?.values.first
        #expect(value == (dateTime == nil ? ProfileValue(text) : ProfileValue("1 January 2020", dateTime: dateTime)))
    }

    @Test(arguments: [
        "not a host", "javascript:alert(1)", "user@host.example", "a..b", "https://a@b.example", "x", "<b>.example",
    ])
    func anInvalidWebsiteIsNoLink(_ text: String) {
        #expect(
            sheet(#"{"blog":"\#(text)","twitter":"\#(text) x"}"#).facts.flatMap(\.values).allSatisfy { $0.href == nil })
    }
}
