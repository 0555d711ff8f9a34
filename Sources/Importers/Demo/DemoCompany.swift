import Bytes
import Fields
import JSON

/// A made-up company, in which the people of the demo work: their teams, titles, offices, skills and stories.
enum DemoCompany {
    private struct Team {
        let name: String
        /// The first one leads the team: one person in sixteen.
        let titles: [String]
        let skills: [String]
        /// Sentences about the work of people in the team, in the third person.
        let work: [String]
    }

    private static let teams = [
        Team(
            name: "Platform",
            titles: [
                "Head of platform", "Staff engineer", "Backend engineer", "Site reliability engineer",
                "Security engineer",
            ],
            skills: ["Swift", "SQLite", "PostgreSQL", "Linux", "Networking", "Observability", "Security"],
            work: [
                "Looks after the servers, and after the people who look after the servers.",
                "Makes slow things fast, and fast things boring.",
                "Moved the last job from the old scheduler and kept its log as a souvenir.",
            ]),
        Team(
            name: "Web",
            titles: ["Head of web", "Front-end engineer", "Full-stack engineer", "Accessibility specialist"],
            skills: ["JavaScript", "CSS", "HTML", "Accessibility", "Swift", "Performance"],
            work: [
                "Started the accessibility guild and tests with a screen reader first.",
                "Removes a kilobyte from the site whenever one was added.",
                "Believes that a link is the best button.",
            ]),
        Team(
            name: "Mobile",
            titles: ["Engineering manager", "iOS engineer", "Android engineer", "Release engineer"],
            skills: ["Swift", "Kotlin", "Accessibility", "Testing", "Performance"],
            work: [
                "Ships the apps every second Tuesday.",
                "Keeps a drawer of forty old phones, all charged.",
                "Wrote the offline mode on a train without reception.",
            ]),
        Team(
            name: "Data",
            titles: ["Head of data", "Data scientist", "Data engineer", "Machine learning engineer", "Analyst"],
            skills: ["Python", "SQL", "Statistics", "PostgreSQL", "Visualisation", "Machine learning"],
            work: [
                "Answers questions with numbers, and doubts the numbers first.",
                "Runs the Thursday reading group.",
                "Maintains the pipeline that everybody else forgets is there.",
            ]),
        Team(
            name: "Design",
            titles: ["Head of design", "Product designer", "Researcher", "Illustrator", "Type designer"],
            skills: ["Typography", "Research", "Illustration", "Prototyping", "Accessibility"],
            work: [
                "Draws the icons, down to the last half pixel.",
                "Visits ten customers a month and listens.",
                "Thinks that every form has one field too many.",
            ]),
        Team(
            name: "Docs", titles: ["Lead writer", "Writer", "Translator", "Editor"],
            skills: ["Writing", "Translation", "Editing", "HTML"],
            work: [
                "Writes the sentences that nobody has to read twice.",
                "Translates the product into three languages, and its jokes into two.",
            ]),
        Team(
            name: "Support", titles: ["Support lead", "Support engineer", "Community manager", "Solutions engineer"],
            skills: ["Troubleshooting", "Writing", "SQL", "Linux", "Teaching"],
            work: [
                "Has answered eleven thousand questions and remembers the best ones.",
                "Turns bug reports into test cases.",
                "Hosts the monthly meeting of the community.",
            ]),
        Team(
            name: "Operations",
            titles: ["Operations manager", "Accountant", "Recruiter", "Legal counsel", "Office manager"],
            skills: ["Planning", "Negotiation", "Accounting", "Law", "Teaching"],
            work: [
                "Pays the bills on time and knows where the keys are.",
                "Welcomes everybody on their first day.",
                "Organises the summer week by the lake.",
            ]),
        Team(
            name: "Research", titles: ["Head of research", "Scientist", "Research engineer", "Fellow"],
            skills: ["Statistics", "Python", "Writing", "Machine learning", "Visualisation"],
            work: [
                "Publishes what does not work, too.",
                "Studies how people look for people.",
            ]),
    ]

    private static let offices = [
        "Nairobi", "Lisbon", "Seoul", "Kyoto", "Berlin", "Toronto", "Recife", "Bogotá", "Pune", "Bergen", "Cairo",
        "Wellington",
    ]

    private static let languages = [
        "English", "Español", "Français", "Deutsch", "Português", "العربية", "한국어", "日本語", "中文", "हिन्दी", "Kiswahili",
        "Türkçe", "Polski", "Svenska",
    ]

    private static let hobbies = [
        "Is slowly rebuilding a 1974 Peugeot 504.", "Bakes bread at six in the morning.",
        "Sings in two choirs.", "Keeps bees on the roof of the office.", "Rows before breakfast.",
        "Collects maps of places that do not exist.", "Plays chess by post.", "Grows chillies of nineteen kinds.",
        "Repairs radios.", "Knits during meetings, with permission.", "Climbs anything with a view.",
        "Reads detective stories in the wrong order.",
    ]

    /// Where somebody works, and as what.
    struct Work {
        var title: String
        var team: String
        var place: String?
    }

    /// Returns the work of an organization or a program, which has no office.
    static func work(title: String, _ random: inout SplitMix64) -> Work {
        Work(title: title, team: random.pick(teams).name)
    }

    /// Returns the other data of an organization or a program as a JSON object.
    static func record(of work: Work) -> String {
        let buffer = ByteBuffer(capacity: 64)
        buffer.append("{\"title\":")
        buffer.append(jsonString: work.title)
        buffer.append(",\"team\":")
        buffer.append(jsonString: work.team)
        buffer.append("}")
        return String(buffer)
    }

    /// Returns the other data of person `index` as a JSON object. One person in twelve has only a team.
    ///
    /// - Parameters:
    ///   - work: the person's work; `nil` to draw it.
    ///   - hometown: the town the person comes from; `nil` for none.
    static func record(of index: Int, work: Work? = nil, hometown: String? = nil) -> String {
        // A random stream of its own, so that names and ids do not depend on the numbers drawn here.
        var random = SplitMix64(state: UInt64(index) &* 0xA24B_AED4_963E_E407 ^ 0x5DEE_CE66)
        let drawn = random.pick(teams)
        let team = teams.first { $0.name == work?.team } ?? drawn
        let drawnTitle = random.below(16) == 0 ? team.titles[0] : random.pick(Array(team.titles.dropFirst()))
        let title = work?.title ?? drawnTitle
        let drawnOffice = random.pick(offices)
        let office = work?.place ?? drawnOffice
        let buffer = ByteBuffer(capacity: 512)
        var separator: StaticString = "{\""
        func add(_ key: StaticString, _ append: (ByteBuffer) -> Void) {
            buffer.append(separator)
            buffer.append(key)
            buffer.append("\":")
            append(buffer)
            separator = ",\""
        }
        let isBare = random.below(12) == 0 && work == nil
        if !isBare { add("title") { $0.append(jsonString: title) } }
        add("team") { $0.append(jsonString: team.name) }
        if !isBare {
            add("office") { $0.append(jsonString: office) }
            add("skills") { $0.append(random.pick(random.below(3) + 1, of: team.skills)) }
            add("languages") { $0.append(random.pick(random.below(3) + 1, of: languages)) }
            add("joined") { $0.append(jsonString: day(&random)) }
            if let hometown { add("hometown") { $0.append(jsonString: hometown) } }
            let story = random.pick(team.work) + (random.below(2) == 0 ? "" : " " + random.pick(hobbies))
            if random.below(3) > 0 || work != nil { add("about") { $0.append(jsonString: story) } }
        }
        buffer.append("}")
        return String(buffer)
    }

    /// A day from 2009 to 2025, in ISO 8601.
    private static func day(_ random: inout SplitMix64) -> String {
        // 2009-01-01 is day 14,245 since 1970.
        let day = 14_245 + random.below(17 * 365)
        let buffer = ByteBuffer(capacity: 16)
        CivilTime(secondsSince1970: day * 86_400).appendDay(to: buffer)
        return String(buffer)
    }

    /// The fields of the company's directory.
    static let settings: DirectorySettings = {
        var settings = Settings()
        settings.intro = """
            A made-up company of people all over the world: look around, search, filter, and scroll to the end.

            Nobody here is real.
            """
        func field(_ key: String, _ from: String, _ label: String, _ type: FieldType = .text) -> FieldSettings {
            var field = FieldSettings(key: key, from: from)
            field.label = .text(label)
            field.type = type
            return field
        }
        settings.fields = [
            field("title", "title", "Title"), field("department", "team", "Team"),
            field("location", "office", "Place"), field("skills", "skills", "Skills", .list),
            field("languages", "languages", "Languages", .list), field("joined", "joined", "Joined", .date),
            field("hometown", "hometown", "Hometown"), field("about", "about", "About"), field("type", "type", "Kind"),
            field("reputation", "reputation", "Commits", .number),
        ]
        settings.rows = ["title", "department", "location"]
        settings.cards = ["title", "department"]
        settings.search = ["name", "title", "department", "location", "skills"]
        settings.filters = ["department", "location", "skills", "type"]
        settings.sorts = ["name", "reputation", "joined"]
        settings.order = "name"
        // The interface has the reader's language, and the labels are translated.
        var inferred = Settings()
        inferred.language = "en"
        inferred.fields = settings.fields
        settings.fields = []
        return DirectorySettings(own: settings, inferred: inferred)
    }()
}

extension SplitMix64 {
    /// Returns a number below `bound`. The small bias of the remainder does not matter here.
    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

    /// Returns `count` different elements, in the order of `elements`.
    fileprivate mutating func pick(_ count: Int, of elements: [String]) -> [String] {
        var chosen: Set<Int> = []
        while chosen.count < min(count, elements.count) { chosen.insert(below(elements.count)) }
        return chosen.sorted().map { elements[$0] }
    }
}

extension ByteBuffer {
    fileprivate func append(_ elements: [String]) {
        append("[")
        for (index, element) in elements.enumerated() {
            if index > 0 { append(",") }
            append(jsonString: element)
        }
        append("]")
    }
}
