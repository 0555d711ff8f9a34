import Base
import People

/// The forms of a column's values: shares of the first few hundred, from 0 to 1.
struct ColumnShape: Sendable {
    /// The number of values, all of them.
    private(set) var count = 0
    /// Texts with letters that are not addresses, links, codes, dates or answers.
    private(set) var texts = 0.0
    /// Names of two words or more that all begin with a capital, or names in Han, Kana or Hangul.
    private(set) var wholeNames = 0.0
    /// Texts of more than one word.
    private(set) var phrases = 0.0
    private(set) var addresses = 0.0
    private(set) var links = 0.0
    /// Paths and names of files.
    private(set) var files = 0.0
    /// Texts of digits, perhaps with signs between them.
    private(set) var numbers = 0.0
    /// Texts with the digits of a date or a year.
    private(set) var dates = 0.0
    /// Yes, no and the like.
    private(set) var answers = 0.0
    /// `Dr.`, `Prof.`, `Mr`.
    private(set) var honorifics = 0.0
    private(set) var commas = 0.0
    /// Names with a word in capitals, and those that begin with one and end otherwise.
    private(set) var capitals = 0.0
    private(set) var capitalsFirst = 0.0
    /// The share of different texts.
    private(set) var different = 0.0
    private(set) var lists = 0.0
    private(set) var objects = 0.0
    /// Whether all values are integers, and whether at least half of them are; the same for positive ones.
    private(set) var integers = 0.0
    private(set) var positiveIntegers = 0.0

    private static let sample = 300

    init(_ column: SurveyedColumn) {
        count = column.values.count
        guard count > 0 else { return }
        var seen: Set<String> = []
        let values = column.values.prefix(Self.sample)
        for value in values {
            switch value {
            case .list: lists += 1
            case .object: objects += 1
            case .text(let text):
                seen.insert(text)
                add(text)
            }
        }
        different = Double(seen.count) / max(1, Double(values.count) - lists - objects)
        let share = 1 / Double(values.count)
        for path in Self.shares { self[keyPath: path] *= share }
        addIntegers(column.values)
    }

    private static var shares: [WritableKeyPath<ColumnShape, Double>] {
        [
            \.texts, \.wholeNames, \.phrases, \.addresses, \.links, \.files, \.numbers, \.dates, \.answers,
            \.honorifics, \.commas, \.capitals, \.capitalsFirst, \.lists, \.objects,
        ]
    }

    /// Reads all values only if the first ones are integers.
    private mutating func addIntegers(_ values: [SurveyedColumn.Value]) {
        func share(of values: some Collection<SurveyedColumn.Value>, _ isWanted: (Int64) -> Bool) -> Double {
            let numbers = values.lazy.compactMap(\.text).compactMap { Int64($0) }
            return Double(numbers.count { $0 != .min && isWanted($0) }) / Double(values.count)
        }
        integers = share(of: values.prefix(Self.sample)) { _ in true }
        positiveIntegers = share(of: values.prefix(Self.sample)) { $0 > 0 }
        guard integers >= 0.5, values.count > Self.sample else { return }
        integers = share(of: values) { _ in true }
        positiveIntegers = share(of: values) { $0 > 0 }
    }

    private mutating func add(_ text: String) {
        var letters = 0
        var digits = 0
        for scalar in text.unicodeScalars {
            if scalar.isASCII {
                if scalar.value &- 48 < 10 { digits += 1 } else if scalar.value | 0x20 &- 97 < 26 { letters += 1 }
            } else if scalar.properties.isAlphabetic {
                letters += 1
            }
        }
        let words = text.split(separator: " ")
        let isAddress = text.withBytes { PersonalValue.isAddress($0) }
        let isLink = !isAddress && text.withBytes { LinkStyle.isEvident($0) }
        let isAnswer = Self.isAnswer(text)
        let isDate = digits >= 3 && letters <= 12 && Self.isDate(text, digits: digits)
        let isPlain = letters > 0 && !isAddress && !isLink
        addresses += isAddress.count
        links += isLink.count
        files += Self.isFile(text).count
        numbers += (digits > 0 && letters == 0).count
        dates += isDate.count
        answers += isAnswer.count
        phrases += (words.count > 1).count
        commas += text.contains(",").count
        honorifics += words.allSatisfy { Self.isHonorific($0) }.count
        texts += (isPlain && !isAnswer && digits <= letters).count
        guard isPlain, digits * 3 <= letters, words.count <= 7, text.utf8.count <= 120 else { return }
        let isCapital = words.map { NameForm.isCapital($0) }
        capitals += isCapital.contains(true).count
        capitalsFirst += (isCapital.first == true && isCapital.last == false).count
        wholeNames += (digits == 0 && Self.isWholeName(words)).count
    }

    private static func isAnswer(_ text: String) -> Bool {
        guard text.utf8.count <= 16 else { return false }
        return text.withBytes { FieldBoolean.read($0) } != nil
    }

    private static func isDate(_ text: String, digits: Int) -> Bool {
        if digits == 4 && text.utf8.count == 4 { return FieldNumber.isYear(text) }
        let separators = text.utf8.count { "./- :T年月日".utf8.contains($0) }
        guard separators > 0, digits <= 17, !text.contains("@") else { return false }
        // `March 2019` has one number, and so has `User 120`. `P001` is a word.
        let words = text.split { !$0.isLetter && !$0.isNumber || "T年月日".contains($0) }
        let numbers = words.map { $0.prefix { $0.isASCII && $0.isNumber } }.filter { !$0.isEmpty }
        return numbers.count > 1 || numbers.first.map { $0.count == 4 && FieldNumber.isYear(String($0)) } == true
    }

    private static func isFile(_ text: String) -> Bool {
        guard text.utf8.contains(where: "./".utf8.contains) else { return false }
        let folded = text.lowercased()
        return [".jpg", ".jpeg", ".png", ".gif", ".webp", ".bmp", ".heic", ".tif", ".svg"].contains {
            folded.contains($0)
        }
            || folded.contains("/") && !folded.contains(" ")
    }

    private static func isHonorific(_ word: Substring) -> Bool {
        let word = word.lowercased().filter { $0 != "." && $0 != "," }
        return honorific.contains(word)
    }

    private static let honorific: Set<String> = [
        "dr", "prof", "mr", "mrs", "ms", "miss", "mx", "sir", "dame", "lord", "lady", "rev", "herr", "frau", "hr", "fr",
        "dipling", "ing", "mag", "msc", "bsc", "phd", "m", "mme", "mlle", "sr", "sra", "srta", "don", "doña", "dott",
        "dra", "doc", "rndr", "mudr", "judr", "phdr", "bc", "mgr", "hon", "habil", "pd", "med", "jur", "dipl", "ba",
        "ma",
        "md", "esq", "jr", "sr", "ii", "iii",
    ]

    private static func isWholeName(_ words: [Substring]) -> Bool {
        if words.count == 1 {
            return (2...6).contains(words[0].unicodeScalars.count) && EastAsianName.isPart(String(words[0]))
        }
        guard words.count <= 6 else { return false }
        let capitals = words.count { word in
            guard let first = word.unicodeScalars.first else { return false }
            return first.properties.isUppercase || EastAsianName.isLetter(first.value) || !first.properties.isCased
        }
        return capitals >= 2
    }
}

extension Bool {
    /// 1 for true, to count what is.
    fileprivate var count: Double { self ? 1 : 0 }
}

extension ColumnShape {
    /// Whether the values may be those of a column that has `role`. A column without values may have any.
    func supports(_ role: FieldRole, isWeak: Bool, heading: String) -> Bool {
        if count == 0 { return true }
        switch role {
        // Rows that are counted from 0 have no ids.
        case .id: return heading == "id" && integers < 1 ? positiveIntegers >= 0.5 : positiveIntegers == 1
        case .reputation: return heading == "reputation" ? integers >= 0.5 : integers == 1
        case .login: return max(addresses + links, phrases) < 0.5 && objects + lists == 0
        case .name, .reading:
            if isWeak { return wholeNames >= 0.6 && different >= 0.5 }
            return max(addresses, numbers) < 0.8 && max(links, dates) < 0.5 && objects + lists <= 0.5
        case .firstName, .lastName: return max(addresses, numbers, links, objects + lists, answers) < 0.5
        case .title: return isText && max(honorifics, dates) < 0.5
        case .department, .location, .country, .organization: return isText && max(dates, links) < 0.5
        case .joined: return dates + lists >= 0.5
        case .photo: return links + files + texts >= 0.5 && max(answers, objects) < 0.5 && phrases < 0.9
        case .website: return max(links, files) >= 0.5
        case .skills, .languages: return lists + texts >= 0.5 && max(numbers, answers) < 0.5
        case .about: return texts >= 0.5
        case .email: return addresses >= 0.3
        case .phone: return max(addresses, texts, links) < 0.5
        case .type, .hidden, .noindex: return true
        }
    }

    private var isText: Bool { texts + lists >= 0.5 && objects == 0 && addresses < 0.5 }
}
