// The letters that distinguish decodings of the same bytes.

extension Plausibility {
    /// For each alphabetic encoding, the letters beyond ASCII of the languages written in it, one string for each
    /// language.
    static let languages: [TextEncoding: [String]] = {
        let western = both([
            "äöüß", "àâæçèéêëîïôœùûü", "áéíñóúü", "àèéìòù", "ãáâàçéêíóôõú", "äöåé", "æøåéòôóä", "àçèéíïòóúü", "éëïöüáó",
        ])
        let central = both([
            "ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíľňóôšťúýž", "áéíóöőúüű", "äöüß", "čćđšž", "ăâîşţ", "äöüé",
        ])
        let russian = "абвгдеёжзийклмнопрстуфхцчшщъыьэюя"
        let cyrillic = both([
            russian, "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя’", russian + "іў", "абвгдђежзијклљмнњопрстћуфхцчџш",
        ])
        return [
            .windows1251: cyrillic, .koi8R: both([russian]), .cyrillic: cyrillic, .windows1252: western,
            .macRoman: western, .windows1250: central, .latin2: central,
            .windows1254: both(["çğıöşüâî"]).map { $0 + "İ" } + western,
            .windows1257: both(["ąčęėįšųūž", "āčēģīķļņšūž", "äöüõšž"]),
        ]
    }()

    /// For each encoding of ideographs or syllables, the most common ones in names, headings and titles.
    static let common: [TextEncoding: Set<Unicode.Scalar>] = {
        let korean = Set(Self.korean.unicodeScalars)
        let chinese = Set(Self.chinese.unicodeScalars)
        let japanese = Set(Self.japanese.unicodeScalars).union(
            (0x3041...0x30FF).compactMap { Unicode.Scalar($0 as UInt32) })
        return [.cp949: korean, .gb18030: chinese, .big5: chinese, .cp932: japanese, .eucJP: japanese]
    }()

    private static func both(_ lowercase: [String]) -> [String] { lowercase.map { $0 + $0.uppercased() } }

    /// Surnames, syllables of given names, places, departments and titles.
    private static let korean = """
        김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구민진지엄채원천방공현함변염여추도소석선설마길연위표명기반왕금옥육인맹제모\
        수준호은영미경혜희숙자순아나다라예윤슬빈찬훈혁철용웅태환규균형재동건승상학창중일대범섭식열관국광근무병봉보복비삼새세솔시실애언에완요욱운율음의\
        익작잔점종찬춘충치탁택평필해향후휘흥름별봄빛산단담란람랑래련례린림루리가개객거결계과교급능당디로료론매머면물발법부북분사생속스실앱업엔역온외울월유\
        입저적접젝조주직책체총추출컨코콘크터트특팀파판팩품프플피하행험협화회획효휴너니어발자케팅장사원급임팀
        """

    /// Simplified and traditional.
    private static let chinese = """
        王李张張刘劉陈陳杨楊黄黃赵趙吴吳周徐孙孫马馬朱胡郭何林高罗羅郑鄭梁谢謝宋唐许許韩韓冯馮邓鄧曹彭曾肖蕭田董袁潘于蒋蔣蔡余杜叶葉程苏蘇魏吕呂丁任沈姚卢盧姜崔钟鍾谭譚\
        陆陸汪范金石廖贾賈夏韦韋付方白邹鄒孟熊秦邱江尹薛闫閻段雷侯龙龍史陶黎贺賀顾顧毛郝龚龔邵万萬钱錢严嚴覃武戴莫孔向汤湯洪施詹赖賴游简簡康柯翁温溫阮\
        伟偉芳娜敏静靜丽麗强強磊军軍洋勇艳艷杰傑娟涛濤明超秀霞平刚剛桂英华華玉兰蘭红紅梅建国國文志海波燕春晓曉辉輝鹏鵬飞飛宇浩然子轩軒梓涵雨欣怡佳思琪诗詩婷\
        雪慧颖穎俊博天嘉豪一诺可馨妍家小东東南西北中大山水月云雲星辰晨阳陽光亮新成荣榮峰坤雄君莉琳珍凤鳳萍玲倩楠凯凱斌彬宏冰毅鑫淑惠美雅宜廷承柏睿翔翰哲\
        姓名部门門职職位务務称稱经經理工程师師总總监監主管助销銷售技术術财財会會计計人事行政市场場开開发發设設产產品运運营營客服公司单單城地点點语語言能专專长長\
        业業务軟软件研究员員团團队隊京上广廣州深圳港台湾灣杭武汉漢成都重庆慶苏州编編辑輯数數据據科学學院法律项項目副
        """

    private static let japanese = """
        佐藤鈴木高橋田中伊渡辺邊邉山本村小林加吉井上松下岡野崎﨑口清水石川前藤長谷谷原斉斎齋齊橋阿部池内後近坂遠青福太西三浦中島島嶋金酒工宮今増丸大野竹武菊久保和\
        市古平河安杉星森桜新関片永東南北白黒赤土堀栗服柴沢澤浜濱樋飯荒須菅岩成須神矢望月尾瀬戸千葉馬場羽根秋冬春夏横田之助\
        愛美子香奈菜花恵理沙優結衣陽翔蓮蒼湊樹悠真颯大輔健太郎翼拓海直人和也達哲雄一二三四五六七八九十正義博浩明誠隆剛修智幸弘信宏康孝英秀雅彦夫男女紀昭子千代洋裕由\
        氏名字部署門所属役職肩書勤務地拠点国言語会社専入社日写真紹介営業開発人事総務経理企画広報法務技術研究製造品質管理情報課長主任係員取締役代表本支店東京都大阪府京\
        名古屋福岡札幌仙台横浜神戸広島県区町株式者設計士師
        """
}
