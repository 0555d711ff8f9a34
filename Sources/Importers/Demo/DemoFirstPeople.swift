/// The first sixty people of the demo, whose names, work and faces were matched by hand. All others are drawn.
enum DemoFirstPeople {
    struct Person {
        let name: String
        let login: String
        let title: String
        let team: String
        let place: String?
        let commits: Int64
        /// The number of the face; `nil` for people who have no picture.
        let face: Int?
        var type = "User"

        init(
            _ name: String, _ login: String, _ title: String, _ team: String, _ place: String?, _ commits: Int64,
            face: Int?, type: String = "User"
        ) {
            (self.name, self.login, self.title, self.team, self.place) = (name, login, title, team, place)
            (self.commits, self.face, self.type) = (commits, face, type)
        }
    }

    static let all = [
        Person("Abebe Tadesse", "abebe-tadesse", "Staff engineer", "Platform", "Addis Ababa", 1204, face: 44),
        Person("Ada Nováková", "ada-novakova", "Product designer", "Design", "Prague", 318, face: 50),
        Person("Ahmed Mansour", "ahmed-mansour", "Support lead", "Support", "Cairo", 92, face: 57),
        Person("Aiko Tanaka", "aiko-tanaka", "Engineering manager", "Mobile", "Osaka", 871, face: 12),
        Person("Alice Okafor", "alice-okafor", "Data scientist", "Data", "Lagos", 446, face: 15),
        Person("Amina Diallo", "amina-diallo", "Writer", "Docs", "Dakar", 1017, face: 2),
        Person(
            "Andrés García López", "andres-garcia-lopez", "Site reliability engineer", "Platform", "Bogotá", 689,
            face: 22),
        Person("Anna-Lena Müller", "anna-lena-mueller", "Researcher", "Design", "Hamburg", 74, face: 18),
        Person("Arjun Nair", "arjun-nair", "Android engineer", "Mobile", "Kochi", 533, face: 38),
        Person("Beatriz Carvalho", "beatriz-carvalho", "Accountant", "Operations", "Porto", 12, face: 1),
        Person("Ben O’Brien", "ben-obrien", "Security engineer", "Platform", "Cork", 958, face: 3),
        Person("Camila Rojas", "camila-rojas", "Illustrator", "Design", "Valparaíso", 141, face: 20),
        Person("Chidi Eze", "chidi-eze", "Backend engineer", "Platform", "Abuja", 622, face: 55),
        Person("Chloé Lefèvre", "chloe-lefevre", "Community manager", "Support", "Nantes", 205, face: 29),
        Person("Da-eun Kim", "da-eun-kim", "iOS engineer", "Mobile", "Seoul", 790, face: 56),
        Person("Daniel Friedman", "daniel-friedman", "Founder", "Operations", "Haifa", 2311, face: 14),
        Person(
            "Delta Institute", "delta-institute", "Partner", "Research", nil, 56, face: nil, type: "Organization"),
        Person("Deploy Bot", "deploy-bot", "Automation", "Platform", nil, 8420, face: nil, type: "Bot"),
        Person("Diego Fernández", "diego-fernandez", "Recruiter", "Operations", "Rosario", 8, face: 11),
        Person("Dilnoza Karimova", "dilnoza-karimova", "Data engineer", "Data", "Tashkent", 377, face: 9),
        Person("Ebba Lindqvist", "ebba-lindqvist", "Front-end engineer", "Web", "Gothenburg", 1342, face: 40),
        Person("Elif Yılmaz", "elif-yilmaz", "Product manager", "Web", "İzmir", 163, face: 51),
        Person("Gabriel Santos", "gabriel-santos", "Solutions engineer", "Support", "Recife", 119, face: 52),
        Person("Grace Wanjiru", "grace-wanjiru", "Head of platform", "Platform", "Nairobi", 1560, face: 21),
        Person("Hana Kovač", "hana-kovac", "Front-end engineer", "Web", "Zagreb", 702, face: 26),
        Person("Hinemoa Parata", "hinemoa-parata", "Accessibility specialist", "Web", "Rotorua", 417, face: 47),
        Person("Ibrahim Sesay", "ibrahim-sesay", "Backend engineer", "Platform", "Freetown", 265, face: 28),
        Person("Ingrid Haugen", "ingrid-haugen", "Legal counsel", "Operations", "Bergen", 5, face: 42),
        Person("Isla MacLeod", "isla-macleod", "Operations manager", "Operations", "Inverness", 66, face: nil),
        Person("Jamal Carter", "jamal-carter", "Machine learning engineer", "Data", "Atlanta", 894, face: 7),
        Person("Joaquim Tavares", "joaquim-tavares", "Type designer", "Design", "Lisbon", 233, face: 30),
        Person("Josephine Achieng", "josephine-achieng", "Head of data", "Data", "Nairobi", 1108, face: 10),
        Person("Kenta Mori", "kenta-mori", "Release engineer", "Mobile", "Kyoto", 640, face: 19),
        Person("Kestrel Press", "kestrel-press", "Partner", "Docs", nil, 21, face: nil, type: "Organization"),
        Person("Kwame Mensah", "kwame-mensah", "Site reliability engineer", "Platform", "Accra", 512, face: 17),
        Person("Lakshmi Iyer", "lakshmi-iyer", "Editor", "Docs", "Chennai", 388, face: 4),
        Person("Lars Andersson", "lars-andersson", "iOS engineer", "Mobile", "Malmö", 455, face: 27),
        Person("Layla Haddad", "layla-haddad", "Researcher", "Design", "Amman", 97, face: 5),
        Person("Luca Moretti", "luca-moretti", "Full-stack engineer", "Web", "Turin", 826, face: nil),
        Person("Manpreet Gill", "manpreet-gill", "Data engineer", "Data", "Leeds", 301, face: 43),
        Person(
            "Marie-Claire Uwimana", "marie-claire-uwimana", "Office manager", "Operations", "Kigali", 4, face: 31),
        Person("Mateo Quispe", "mateo-quispe", "Translator", "Docs", "La Paz", 176, face: 25),
        Person("Maureen Walsh", "maureen-walsh", "Lead writer", "Docs", "Galway", 934, face: 37),
        Person("Mohamed El Amrani", "mohamed-el-amrani", "Security engineer", "Platform", "Rabat", 577, face: 33),
        Person("Naomi Clarke", "naomi-clarke", "Illustrator", "Design", "Kingston", 68, face: 34),
        Person("Ngozi Obi", "ngozi-obi", "Head of research", "Research", "Enugu", 249, face: 39),
        Person("Nokuthula Dlamini", "nokuthula-dlamini", "Support engineer", "Support", "Durban", 133, face: 23),
        Person("Olena Shevchenko", "olena-shevchenko", "Front-end engineer", "Web", "Lviv", 745, face: 59),
        Person("Pavel Dvořák", "pavel-dvorak", "Backend engineer", "Platform", "Brno", 1011, face: 46),
        Person("Rafael Ortiz", "rafael-ortiz", "Research engineer", "Research", "Puebla", 362, face: 54),
        Person("Ravi Menon", "ravi-menon", "Analyst", "Data", "Pune", 87, face: 36),
        Person("Rubén Castillo", "ruben-castillo", "Fellow", "Research", "Montevideo", 190, face: 49),
        Person("Saoirse Byrne", "saoirse-byrne", "Product designer", "Design", "Dublin", 274, face: 48),
        Person("Sione Taufa", "sione-taufa", "Community manager", "Support", "Wellington", 59, face: 41),
        Person("Triage Bot", "triage-bot", "Automation", "Support", nil, 3977, face: nil, type: "Bot"),
        Person("Winston Baptiste", "winston-baptiste", "Head of design", "Design", "Port of Spain", 421, face: 45),
        Person("Zuzanna Nowak", "zuzanna-nowak", "Android engineer", "Mobile", "Kraków", 508, face: 53),
        Person("Тарас Мельник", "taras-melnyk", "Staff engineer", "Platform", "Lviv", 1475, face: 6),
        Person("نور الهاشمي", "nour-alhashimi", "Scientist", "Research", "Amman", 208, face: 32),
        Person("김서연", "seoyeon-kim", "Accessibility specialist", "Web", "Seoul", 654, face: nil),
    ]
}
