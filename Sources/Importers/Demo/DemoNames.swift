/// The parts of the names of ``DemoPeople``.
enum DemoNames {
    struct Language: Sendable {
        var given: [String]
        var family: [String]
        /// The given names in Latin letters, in the same order, for logins.
        var handles: [String]
        var places: [String]
        /// The separator between the names. In some languages the family name comes first.
        var joint = " "
        var isFamilyFirst = false

        var hasSecondNames: Bool { joint == " " && !isFamilyFirst }

        func name(given: String, family: String) -> String {
            isFamilyFirst ? family + joint + given : given + joint + family
        }
    }

    /// The languages, each as often as it has names to draw from.
    static let weighted = languages.flatMap { language in
        Array(repeating: language, count: max(1, language.given.count * language.family.count / 16))
    }

    /// People whose given names nobody else has. The list begins with them, so that its first page is no row of
    /// namesakes: all other names in Latin letters come after these.
    static let single = [
        "Abigail Ashworth", "Adaeze Nwosu", "Adrián Castro", "Agnieszka Wójcik", "Aisha Bello", "Aleksander Berg",
        "Alessia Romano", "Alma Gutiérrez", "Amara Sesay", "Amélie Fontaine", "Ana Lúcia Prado", "Anders Holm",
        "Anika Sharma", "Antonio Esposito", "Anwar Siddiqui", "Arash Karimi", "Ari Kaplan", "Arun Pillai",
        "Astrid Sørensen", "Aurélie Marchand", "Ayla Demir",
    ]

    /// The words that logins end with.
    static let words = [
        "walnut", "tiller", "peach", "basil", "birch", "breeze", "brook", "canyon", "cedar", "cinder", "clover",
        "cobalt",
        "comet", "copper", "coral", "delta", "ember", "falcon", "fern", "fjord", "garnet", "ginger", "harbor", "hazel",
        "heron", "indigo", "iris", "ivory", "jasper", "juniper", "kestrel", "lagoon", "lantern", "lark", "linden",
        "lotus",
        "maple", "meadow", "mint", "nimbus", "nova", "olive", "onyx", "opal", "orchid", "otter", "pebble", "pine",
        "quartz",
        "quill", "raven", "reef", "river", "saffron", "sage", "sparrow", "summit", "thistle", "tundra", "umber",
        "violet",
        "willow", "wren", "zephyr",
    ]

    static let languages = [
        Language(
            given: [
                "Imogen", "Brian", "Chloe", "Duncan", "Edith", "Fiona", "George", "Hannah", "Isaac", "Judith", "Rory",
                "Siobhan",
            ],
            family: [
                "Ashworth", "Bennett", "Carmichael", "D'Arcy", "Ellison", "Fairweather", "Mac Giolla", "O'Hara",
                "Smith-Jones", "Whitlock",
            ],
            handles: [
                "imogen", "brian", "chloe", "duncan", "edith", "fiona", "george", "hannah", "isaac", "judith", "rory",
                "siobhan",
            ],
            places: ["Leeds", "Galway", "Halifax", "Dunedin"]),
        Language(
            given: ["Jürgen", "Käthe", "Sören", "Jördis", "Björn", "Heike", "Götz", "Sabine", "Ulrich", "Zoë"],
            family: ["Müller", "Groß", "Schäfer", "von Überlingen", "Jäger", "Weiß", "Krüger", "Blümel"],
            handles: ["juergen", "kaethe", "soeren", "joerdis", "bjoern", "heike", "goetz", "sabine", "ulrich", "zoe"],
            places: ["München", "Köln", "Zürich", "Österbruck"]),
        Language(
            given: ["Élodie", "François", "Maïté", "Gaëlle", "Noël", "Clémence", "Benoît", "Zoé", "Jérôme"],
            family: ["Lefèvre", "Dubois", "Garçon", "d’Aubigné", "Étienne", "Bérubé", "Côté", "Noiret"],
            handles: ["elodie", "francois", "maite", "gaelle", "noel", "clemence", "benoit", "zoe", "jerome"],
            places: ["Orléans", "Liège", "Québec", "Besançon"]),
        Language(
            given: ["Íñigo", "Begoña", "Joaquín", "Lucía", "Ramón", "Núria", "Jesús", "Sofía"],
            family: ["Núñez", "Ibáñez Peña", "Güell", "Rodríguez", "Muñoz", "Castañeda", "Ávila", "Zúñiga"],
            handles: ["inigo", "begona", "joaquin", "lucia", "ramon", "nuria", "jesus", "sofia"],
            places: ["Logroño", "A Coruña", "Bogotá", "Cancún"]),
        Language(
            given: ["João", "Inês", "Conceição", "Tomé", "Luís", "Verónica", "Estêvão"],
            family: ["Gonçalves", "Simões", "Araújo", "Leitão", "Magalhães", "Brandão"],
            handles: ["joao", "ines", "conceicao", "tome", "luis", "veronica", "estevao"],
            places: ["Évora", "São Paulo", "Covilhã", "Luanda"]),
        Language(
            given: ["Märit", "Øyvind", "Þórdís", "Bjarne", "Märta", "Sigurður", "Solveig", "Väinö"],
            family: ["Ångström", "Ødegård", "Jónsdóttir", "Kjær", "Sjöberg", "Mäkinen", "Þorsteinsson"],
            handles: ["marit", "oyvind", "thordis", "bjarne", "marta", "sigurdur", "solveig", "vaino"],
            places: ["Tromsø", "Malmö", "Ísafjörður", "Jyväskylä"]),
        Language(
            given: ["Łukasz", "Żaneta", "Zdeněk", "Květa", "Ľudmila", "Gergő", "Eszter", "Şerban", "Čeněk"],
            family: ["Wiśniewski", "Dvořák", "Szőke", "Krčméry", "Țăranu", "Źrebiec", "Novák", "Kőszegi"],
            handles: ["lukasz", "zaneta", "zdenek", "kveta", "ludmila", "gergo", "eszter", "serban", "cenek"],
            places: ["Łódź", "Plzeň", "Győr", "Timișoara"]),
        Language(
            given: ["Işıl", "Çağrı", "Ömer", "Şebnem", "Gülşah", "İlker", "Ülkü"],
            family: ["Yıldız", "Öztürk", "Çelik", "Işık", "Güneş", "Şahin"],
            handles: ["isil", "cagri", "omer", "sebnem", "gulsah", "ilker", "ulku"],
            places: ["İzmir", "Eskişehir", "Muğla"]),
        Language(
            given: ["Thảo", "Hưng", "Ngọc", "Phượng", "Tuấn", "Quỳnh", "Đạt"],
            family: ["Nguyễn Thị", "Trần Văn", "Phạm", "Đặng", "Lê Hữu", "Vũ", "Bùi"],
            handles: ["thao", "hung", "ngoc", "phuong", "tuan", "quynh", "dat"], places: ["Huế", "Đà Nẵng", "Cần Thơ"],
            isFamilyFirst: true),
        Language(
            given: ["Анна", "Борис", "Ёлка", "Жанна", "Олексій", "Соломія", "Тихон", "Юлія"],
            family: ["Кузнецова", "Щербак", "Їжакевич", "Лебедев", "Ґудзь", "Мельник", "Воробьёв"],
            handles: ["anna", "boris", "yolka", "zhanna", "oleksiy", "solomiya", "tikhon", "yuliya"],
            places: ["Тверь", "Львів", "Пловдив", "Ниш"]),
        Language(
            given: ["Ελένη", "Γιώργος", "Ξένια", "Θανάσης", "Ηλέκτρα", "Οδυσσέας"],
            family: ["Παπαδοπούλου", "Ψαρρός", "Ζαχαρίας", "Χατζής", "Ιωάννου"],
            handles: ["eleni", "giorgos", "xenia", "thanos", "ilektra", "odysseas"],
            places: ["Θεσσαλονίκη", "Ηράκλειο", "Λάρνακα"]),
        Language(
            given: ["نور", "سلمى", "يوسف", "ليلى", "طارق", "هند", "عمر"],
            family: ["الحداد", "بن سعيد", "المنصوري", "الخطيب", "الزهراني"],
            handles: ["nour", "salma", "youssef", "layla", "tarek", "hind", "omar"], places: ["صفاقس", "طنجة", "أسوان"]),
        Language(
            given: ["کیان", "پریسا", "ژاله", "گلناز", "داریوش"], family: ["رضایی", "موسوی", "پورکاظم", "چگینی"],
            handles: ["kian", "parisa", "zhaleh", "golnaz", "dariush"], places: ["شیراز", "یزد"]),
        Language(
            given: ["נועה", "איתמר", "שירה", "יונתן", "תמר", "אלון"],
            family: ["כהן", "בן־דוד", "אברמוב", "שפירא", "מזרחי"],
            handles: ["noa", "itamar", "shira", "yonatan", "tamar", "alon"], places: ["חיפה", "באר שבע"]),
        Language(
            given: ["서연", "민준", "하늘", "지우", "도윤", "은비"], family: ["김", "이", "박", "최", "남궁", "황보"],
            handles: ["seoyeon", "minjun", "haneul", "jiwoo", "doyun", "eunbi"], places: ["전주", "부산", "춘천"], joint: "",
            isFamilyFirst: true),
        Language(
            given: ["さくら", "健太", "陽子", "蓮", "美咲", "大輔"], family: ["佐藤", "小野寺", "渡邊", "東海林", "髙橋"],
            handles: ["sakura", "kenta", "yoko", "ren", "misaki", "daisuke"], places: ["仙台", "松山", "小樽"], joint: " ",
            isFamilyFirst: true),
        Language(
            given: ["タロウ", "ハナコ", "マリ", "ケンジ"], family: ["スズキ", "ナカムラ", "ヤマモト"],
            handles: ["taro", "hanako", "mari", "kenji"], places: ["サッポロ", "ナゴヤ"], joint: "・", isFamilyFirst: false),
        Language(
            given: ["伟", "晓梅", "子涵", "思远", "雨桐", "建国"], family: ["王", "李", "欧阳", "诸葛", "陈", "刘"],
            handles: ["wei", "xiaomei", "zihan", "siyuan", "yutong", "jianguo"], places: ["成都", "厦门", "昆明"], joint: "",
            isFamilyFirst: true),
        Language(
            given: ["雅婷", "家豪", "怡君", "志明", "淑芬"], family: ["陳", "張簡", "蔡", "許", "鄭"],
            handles: ["yating", "jiahao", "yijun", "zhiming", "shufen"], places: ["臺南", "花蓮"], joint: "",
            isFamilyFirst: true),
        Language(
            given: ["अनन्या", "विक्रम", "श्रेया", "कृष्ण", "प्रज्ञा"], family: ["शर्मा", "त्रिपाठी", "क्षत्रिय", "जोशी", "ठाकुर"],
            handles: ["ananya", "vikram", "shreya", "krishna", "pragya"], places: ["वाराणसी", "पुणे"]),
        Language(
            given: ["অনির্বাণ", "শ্রাবণী", "ঋতু", "তানভীর"], family: ["চক্রবর্তী", "মুখোপাধ্যায়", "হক", "সেন"],
            handles: ["anirban", "srabani", "ritu", "tanvir"], places: ["ঢাকা", "কলকাতা"]),
        Language(
            given: ["கவிதா", "முருகன்", "செல்வி", "இளங்கோ"], family: ["சுப்பிரமணியன்", "நாராயணன்", "பாண்டியன்"],
            handles: ["kavitha", "murugan", "selvi", "ilango"], places: ["மதுரை", "யாழ்ப்பாணம்"]),
        Language(
            given: ["สมชาย", "กัลยา", "ณัฐวุฒิ", "พิมพ์ชนก"], family: ["ศรีสุวรรณ", "วงศ์ใหญ่", "บุญมี", "ทองดี"],
            handles: ["somchai", "kanlaya", "nattawut", "pim"], places: ["เชียงใหม่", "ขอนแก่น"]),
        Language(
            given: ["ნინო", "გიორგი", "თამარ", "ლუკა"], family: ["ბერიძე", "კაპანაძე", "ჯავახიშვილი", "წერეთელი"],
            handles: ["nino", "giorgi", "tamari", "luka"], places: ["ქუთაისი", "ბათუმი"]),
        Language(
            given: ["Անահիտ", "Տիգրան", "Շուշան", "Վահան"], family: ["Սարգսյան", "Հակոբյան", "Մկրտչյան", "Օհանյան"],
            handles: ["anahit", "tigran", "shushan", "vahan"], places: ["Գյումրի", "Երևան"]),
        Language(
            given: ["ሰላም", "አበበ", "ብርሃን", "ትዕግስት"], family: ["ተስፋዬ", "ገብረ", "ወልደማርያም", "በቀለ"],
            handles: ["selam", "abebe", "birhan", "tigist"], places: ["ባሕር ዳር", "ጎንደር"]),
        Language(
            given: ["Táíwò", "Chịkà", "Ọlájùmọ̀kẹ́", "Ngozi", "Kwabena", "Thandiwe"],
            family: ["Ọ̀ṣun", "Ōkonkwọ", "Mensah", "Dlamini", "Ṣọlá"],
            handles: ["taiwo", "chika", "olajumoke", "ngozi", "kwabena", "thandiwe"],
            places: ["Ìbàdàn", "Enugwu", "Kumasi", "eThekwini"]),
        Language(
            given: ["Kaʻiulani", "Māhina", "Tāne", "Hēmi"], family: ["Kealoha", "Tūhoe", "Parāone", "ʻĀina"],
            handles: ["kai", "mahina", "tane", "hemi"], places: ["Hilo", "Whāngārei"]),
    ]
}
