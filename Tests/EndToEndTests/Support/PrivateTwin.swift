import Foundation
import TestSupport

/// Sources of people of every kind, with two sides that differ in nothing but what readers must not see: private
/// columns, those that are not stored, hidden and forgotten people, a private directory, the addresses in a history.
struct PrivateTwin {
    /// One import into a directory of its own, and what the publisher does then.
    struct Source {
        var directory: String
        var file = ""
        var text = ""
        var options: [String] = []
        /// The keys of the fields that the settings make private afterwards.
        var privateKeys: [String] = []
        /// Whether they make everything else private that no field reads.
        var hidesOthers = true
        /// Keys that are private or not stored already.
        var otherKeys: [String] = []
        var isPrivateDirectory = false
    }

    /// Whether this is the side "a".
    let isA: Bool
    let folder: URL

    static let count = 6

    /// Texts that stay in the database for the publisher, in both sides.
    static let keptMarks = ["qzx", "jvk"]
    /// Texts of which nothing may stay.
    static let goneMarks = ["qyw", "jwp"]

    init(isA: Bool, in folder: URL) throws {
        self.isA = isA
        self.folder = folder.appending(path: isA ? "a" : "b")
        try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
    }

    /// A text that the publisher keeps and nobody else sees.
    func kept(_ kind: String, _ index: Int) -> String { "\(Self.keptMarks[isA ? 0 : 1])\(kind)\(index)z" }
    /// A text that is not stored, or no longer.
    func gone(_ kind: String, _ index: Int) -> String { "\(Self.goneMarks[isA ? 0 : 1])\(kind)\(index)z" }
    func number(_ index: Int) -> Int { isA ? 7001 + 13 * index : 9301 - 17 * index }
    func day(_ index: Int) -> String { isA ? "197\(index)-02-11" : "199\(9 - index)-03-12" }

    private func lines(_ line: (Int) -> String) -> String { (0..<Self.count).map { line($0) + "\n" }.joined() }

    var sources: [Source] {
        [
            roles, hidden, hiddenWithIDs, gitHub, stackExchange, rickAndMorty, nested, cards, directoryEntries,
            contributors, privateDirectory, forgetting,
        ]
    }

    private var roles: Source {
        let columns =
            "id,login,First name,Last name,Reading,Title,Department,Company,Office,Country,Skills,Languages,Joined,"
            + "Website,About,Type,Reputation,Level,Team,Photo,Codename,E-Mail,Salary,Room"
        let rows = lines { i in
            [
                "\(100 + i)", "login\(i)", "Ann\(i)", kept("last", i), kept("read", i), kept("title", i),
                kept("dept", i % 3), kept("comp", i % 3), kept("office", i % 3), kept("country", i % 3),
                "\(kept("skill", i % 3));\(kept("talent", i % 2))", kept("lang", i % 2), day(i),
                "https://\(kept("web", i)).example/", kept("about", i), kept("type", i % 2), "\(number(i))",
                "\(number(i) / 3)", "T\(i % 3)", "https://\(kept("photo", i)).example/p.jpg", kept("code", i),
                "\(gone("mail", i))@x.example", gone("pay", i), gone("room", i),
            ].joined(separator: ",")
        }
        return Source(
            directory: "roles", file: "roles.csv", text: columns + "\n" + rows,
            options: ["--key", "id", "--keep", "Codename", "--drop", "Room", "--map", "name=First name"],
            privateKeys: [
                "last_name", "reading", "title", "department", "organization", "location", "country", "skills",
                "languages", "joined", "website", "about", "type", "reputation", "level", "team", "photo",
            ], hidesOthers: false, otherKeys: ["codename", "e_mail", "salary", "room", "Codename", "E-Mail"])
    }

    /// Hidden people come first and last, with names that others have, and are not as many on both sides.
    private var hidden: Source {
        let first = (0..<(isA ? 3 : 0)).map { "Ann Lee\($0),\(kept("hdept", $0)),yes\n" }.joined()
        let last = (0..<(isA ? 1 : 4)).map { "\(kept("hname", $0)) Doe,\(kept("hdept", $0)),yes\n" }.joined()
        return Source(
            directory: "hidden", file: "hidden.csv",
            text: "Name,Department,Hidden\n" + first + lines { "Ann Lee\($0),Team \($0 % 2)," } + last,
            otherKeys: ["hidden"])
    }

    private var hiddenWithIDs: Source {
        let first = (0..<(isA ? 2 : 0)).map { "\(900 + $0),log\($0),Ann Lee\($0),\(number($0)),yes\n" }.joined()
        let last = (0..<2).map { "\(500 + $0),\(kept("hlog", $0)),\(kept("hname", $0)),\(number($0)),yes\n" }.joined()
        return Source(
            directory: "hidden2", file: "hidden2.csv",
            text: "id,login,Name,Level,Hidden\n" + first + lines { "\(100 + $0),user\($0),Ann Lee\($0),\($0)," } + last,
            otherKeys: ["hidden"])
    }

    private var gitHub: Source {
        let text = lines { i in
            """
            {"login":"gh\(i)","id":\(300 + i),"node_id":"\(kept("node", i))","gravatar_id":"","url":"","avatar_url":"https://\(kept("av", i)).example/1.png",\
            "html_url":"https://github.com/\(kept("html", i))","type":"\((i % 2 == 0) == isA ? "Bot" : "Organization")",\
            "site_admin":\(isA),"name":"Gary Hub\(i)","company":"\(kept("comp", i))",\
            "blog":"https://\(kept("blog", i)).example","location":"\(kept("loc", i % 3))","bio":"\(kept("bio", i))",\
            "followers":\(number(i)),"created_at":"\(day(i))T01:02:03Z"}
            """
        }
        return Source(
            directory: "github", file: "github.ndjson", text: text,
            privateKeys: ["type", "photo", "website", "reputation"], otherKeys: ["company", "followers", "location"])
    }

    private var stackExchange: Source {
        let text = lines { i in
            """
            {"badge_counts":{"bronze":\(number(i)),"silver":2,"gold":1},"account_id":\(number(i)),\
            "is_employee":\(isA),"last_modified_date":\(1_600_000_000 + number(i)),\
            "last_access_date":\(1_600_000_000 + number(i)),"reputation":\(number(i)),\
            "creation_date":\(1_300_000_000 + number(i)),"user_type":"\((i % 2 == 0) == isA ? "registered" : "moderator")",\
            "user_id":\(400 + i),"location":"\(kept("loc", i % 3))","website_url":"https://\(kept("web", i)).example",\
            "link":"https://stackoverflow.com/users/\(kept("link", i))",\
            "profile_image":"https://\(kept("img", i)).example/x","display_name":"Stan Over\(i)"}
            """
        }
        return Source(
            directory: "stack", file: "stack.ndjson", text: text,
            privateKeys: ["reputation", "user_type", "photo", "website"], otherKeys: ["type", "location", "account_id"])
    }

    private var rickAndMorty: Source {
        let text = lines { i in
            """
            {"id":\(1 + i),"name":"Rick Nr\(i)","status":"\((i % 2 == 0) == isA ? "Alive" : "Dead")",\
            "species":"\(kept("spec", i % 3))","type":"\(kept("type", i % 2))",\
            "gender":"\((i / 2 % 2 == 0) == isA ? "Male" : "Female")","origin":{"name":"\(kept("orig", i))","url":""},\
            "location":{"name":"\(kept("loc", i))","url":""},\
            "image":"https://rickandmortyapi.com/\(kept("img", i)).jpeg","episode":["\(kept("ep", i))"],\
            "url":"https://rickandmortyapi.com/api/character/\(1 + i)","created":"\(day(i))T18:48:46.250Z"}
            """
        }
        return Source(
            directory: "characters", file: "characters.ndjson", text: text,
            privateKeys: ["status", "species", "gender", "photo", "type"], otherKeys: ["origin", "created"])
    }

    private var nested: Source {
        let text = (0..<Self.count).map { i in
            """
            {"id":\(1 + i),"login":"n\(i)","name":"Nell Ng\(i)","tags":["a","b"],\
            "profile":{"nick":"\(kept("nick", i))","deep":{"iban":"\(kept("iban", i))","since":"\(day(i))"}},\
            "codename":"\(kept("code", i))"}
            """
        }.joined(separator: ",\n")
        return Source(
            directory: "nested", file: "nested.json", text: "[\(text)]",
            options: ["--keep", "codename,profile.nick,profile.deep.iban,profile.deep.since"],
            otherKeys: ["codename", "profile_nick", "profile_deep_iban", "profile_deep_since"])
    }

    private var cards: Source {
        let text = lines { i in
            """
            BEGIN:VCARD
            VERSION:4.0
            UID:urn:uuid:\(gone("uid", i))
            FN:Vic Card\(i)
            ORG:Acme;Sales
            TEL;TYPE=home:+49 30 \(number(i))\(number(i))
            EMAIL:\(gone("mail", i))@x.example
            ADR:;;\(gone("street", i)) 1;Berlin;;10115;DE
            BDAY:\(day(i))
            NOTE:\(kept("note", i))
            X-OTHER:\(gone("x", i))
            END:VCARD
            """
        }
        return Source(
            directory: "cards", file: "cards.vcf", text: text.replacingOccurrences(of: "\n", with: "\r\n"),
            options: ["--keep", "NOTE"], otherKeys: ["note", "NOTE", "TEL", "EMAIL", "ADR", "BDAY"])
    }

    private var directoryEntries: Source {
        let text = lines { i in
            """
            dn: uid=\(gone("dn", i)),ou=people,dc=x
            objectClass: inetOrgPerson
            uid: \(kept("uid", i))
            cn: Lyn Dap\(i)
            sn: Dap\(i)
            givenName: Lyn
            ou: Sales
            mail: \(gone("mail", i))@x.example
            userPassword: \(gone("word", i))
            employeeNumber: \(number(i))
            description: \(gone("desc", i))

            """
        }
        return Source(
            directory: "ldap", file: "people.ldif", text: text, options: ["--keep", "uid"],
            otherKeys: ["uid", "mail", "employeenumber", "description"])
    }

    private var contributors: Source {
        let people = (0..<Self.count).map { i in
            """
            {"login":"ac\(i)","name":"Al Cont\(i)","avatar_url":"https://\(kept("av", i)).example/a.png",\
            "profile":"https://\(kept("prof", i)).example",\
            "contributions":\((i % 2 == 0) == isA ? #"["code","doc"]"# : #"["bug"]"#)}
            """
        }.joined(separator: ",")
        return Source(
            directory: "contributors", file: ".all-contributorsrc",
            text: #"{"files":["README.md"],"projectName":"p","projectOwner":"o","contributors":[\#(people)]}"#,
            privateKeys: ["contributions", "photo", "website", "type"])
    }

    private var privateDirectory: Source {
        Source(
            directory: "board", file: "board.csv",
            text: "id,login,Name\n" + lines { "\(700 + $0),\(kept("plog", $0)),\(kept("pname", $0)) Doe" },
            options: ["--private"], isPrivateDirectory: true)
    }

    /// Some are forgotten afterwards, who are not as many on both sides.
    private var forgetting: Source {
        let gone = forgottenLogins.enumerated().map { index, login in
            "\(600 + index),\(login),\(self.gone("fname", index)) Zed,\(self.gone("fdept", index))\n"
        }
        return Source(
            directory: "forgetting", file: "forgetting.csv",
            text: "id,login,Name,Department\n" + lines { "\(100 + $0),fo\($0),Fay Get\($0),Team \($0 % 2)" }
                + gone.joined(), options: ["--key", "id"])
    }

    var forgottenLogins: [String] { (0..<(isA ? 3 : 2)).map { gone("flog", $0) } }

    /// The keys that are private in the directory of the history.
    static let historyKeys = ["type", "reputation", "website", "photo"]

    /// Makes a repository whose people have the same names, accounts and first commits on both sides, but other
    /// addresses and numbers of commits. Two addresses have one name.
    func makeRepository() throws -> String {
        let path = folder.appending(path: "repo").path
        var stream = ""
        var mark = 0
        for i in 0..<Self.count {
            for _ in 0...(isA ? i : Self.count - i) {
                mark += 1
                let name = i == 4 ? "Git Auth1" : "Git Auth\(i)"
                let address = i == 2 ? "902+gacc2@users.noreply.github.com" : "\(gone("git", i))@x.example"
                let time = 1_000_000_000 + i * 86_400
                let parent = mark > 1 ? "from :\(mark - 1)\n" : ""
                stream += """
                    commit refs/heads/main
                    mark :\(mark)
                    author \(name) <\(address)> \(time) +0000
                    committer c <c@x> \(time) +0000
                    data 1
                    m
                    \(parent)

                    """
            }
        }
        for (arguments, input) in [
            (["init", "-q", "-b", "main", path], ""), (["-C", path, "fast-import", "--quiet"], stream),
        ] {
            let output = try run("git", arguments, input: Data(input.utf8))
            guard output.status == 0 else { throw Failure(output.error) }
        }
        return path
    }
}
