import Base

/// A made-up company, in which the people of the demo work.
enum DemoCompany {
    private static let material = DemoMaterial.shared

    /// Where somebody works, and as what.
    struct Work {
        var title: String
        var team: String
        var place: String?
    }

    /// Returns the work of an organization or a program, which has no office.
    static func work(title: String, _ random: inout SplitMix64) -> Work {
        Work(title: title, team: random.pick(material.teams).name)
    }

    /// Returns the other data of an organization or a program as a JSON object.
    static func record(of work: Work, type: String, reputation: Int64?, website: String? = nil) -> String {
        let record = MadeRecord()
        record.add("type", type)
        record.add("reputation", reputation)
        record.add("title", work.title)
        record.add("team", work.team)
        record.add("website", website)
        return record.text
    }

    /// Returns the other data of person `index` as a JSON object. One person in twelve has only a team.
    ///
    /// - Parameters:
    ///   - work: the person's work; `nil` to draw it.
    ///   - hometown: the town the person comes from; `nil` for none.
    ///   - reputation: the number of commits; `nil` for none.
    ///   - website: the person's page; `nil` for none.
    static func record(
        of index: Int, work: Work? = nil, hometown: String? = nil, reputation: Int64?, website: String?
    ) -> String {
        // A random stream of its own, so that names and ids do not depend on the numbers drawn here.
        var random = SplitMix64(state: UInt64(index) &* 0xA24B_AED4_963E_E407 ^ 0x5DEE_CE66)
        let drawn = random.pick(material.teams)
        let team = material.teams.first { $0.name == work?.team } ?? drawn
        let drawnTitle = random.below(16) == 0 ? team.titles[0] : random.pick(Array(team.titles.dropFirst()))
        let title = work?.title ?? drawnTitle
        let drawnOffice = random.pick(material.offices)
        let office = work?.place ?? drawnOffice
        let record = MadeRecord()
        record.add("type", "User")
        record.add("reputation", reputation)
        let isBare = random.below(12) == 0 && work == nil
        if !isBare { record.add("title", title) }
        record.add("team", team.name)
        if !isBare {
            record.add("office", office)
            record.add("skills", random.pick(random.below(3) + 1, of: team.skills))
            record.add("languages", random.pick(random.below(3) + 1, of: material.languages))
            record.add("joined", day(&random))
            record.add("hometown", hometown)
            let story = random.pick(team.work) + (random.below(2) == 0 ? "" : " " + random.pick(material.hobbies))
            if random.below(3) > 0 || work != nil { record.add("about", story) }
        }
        record.add("website", website)
        return record.text
    }

    /// A day from 2009 to 2025, in ISO 8601.
    private static func day(_ random: inout SplitMix64) -> String {
        // 2009-01-01 is day 14,245 since 1970.
        let day = 14_245 + random.below(17 * 365)
        return String(writing: { CivilTime(daysSince1970: day).appendDay(to: $0) })
    }
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
