import Base
import Foundation
import People
import Publishing

/// A row of a table that has text, whatever file it comes from: evidence for what the table is.
struct TableRow: Equatable {
    /// The line of a file or the row of a sheet, from 1.
    var number: Int
    /// The texts that people see, without surrounding white space; empty ones, too.
    var cells: [String]
    /// Whether a blank row stands between this row and the one before.
    var isAfterBlank = false
    /// The number of columns over which its first cell is merged.
    var span = 1

    /// The indexes of the cells that have text.
    var filled: [Int] { cells.indices.filter { !cells[$0].isEmpty } }

    /// The text in a column; empty if the row ends before it.
    func text(_ column: Int) -> String { column < cells.count ? cells[column] : "" }
}

/// The form of a cell's text, judged without its column.
enum CellShape: Equatable {
    case empty, number, date, address, link, phone
    /// Words that may be somebody's name.
    case name
    case text

    init(_ text: String) {
        if text.isEmpty {
            self = .empty
        } else if text.withBytes(PersonalValue.isAddress) {
            self = .address
        } else if ["http://", "https://", "www."].contains(where: text.hasPrefix) {
            self = .link
        } else if text.utf8.contains(where: \.isDigit) {
            self = Self.shape(ofDigits: text)
        } else {
            self = Self.isName(text) ? .name : .text
        }
    }

    private static func shape(ofDigits text: String) -> CellShape {
        if [nil, "dmy", "mdy"].contains(where: { format in text.withBytes { FieldDate.read($0, format) != nil } }) {
            return .date
        }
        if PersonalValue.isPhone(text) { return .phone }
        let isNumber = text.utf8.allSatisfy { $0.isDigit || " .,-+%'".utf8.contains($0) }
        return isNumber ? .number : .text
    }

    /// Whether a text has the form of a person's whole name: two to five words of letters that begin with capitals,
    /// except for particles; or two to four letters of Han or Hangul that begin with a frequent family name.
    static func isName(_ text: String) -> Bool {
        guard text.utf8.count <= 80 else { return false }
        let words = text.split { " ,".contains($0) }
        if words.count == 1 {
            return (2...4).contains(text.count) && EastAsianName.isPart(text)
                && familyNames.contains(String(text.prefix(1)))
        }
        guard (2...5).contains(words.count) else { return false }
        return words.allSatisfy { word in
            guard let first = word.unicodeScalars.first(where: { $0.properties.isAlphabetic }) else { return false }
            let isForm = word.unicodeScalars.allSatisfy {
                $0.properties.isAlphabetic || "'’.-·()".unicodeScalars.contains($0)
            }
            return isForm && (!first.properties.isLowercase || particles.contains(String(word)))
        }
    }

    private static let particles: Set<String> = [
        "von", "van", "de", "der", "den", "da", "do", "dos", "das", "del", "di", "du", "la", "le", "zu", "zum", "zur",
        "af", "av", "ter", "ten", "bin", "ibn", "al", "el", "y", "e", "und", "vom",
    ]

    private static let familyNames = Set(
        """
        김이박최정강조윤장임한오서신권황안송전홍유고문양손배백허남심노하곽성차주우구민류나진지엄채원천방공현함변염여추도소석선설마길연위표명기반왕금옥육인맹제모탁국\
        王李张張刘劉陈陳杨楊黄黃赵趙吴吳周徐孙孫马馬朱胡郭何林高罗羅郑鄭梁谢謝宋唐许許韩韓冯馮邓鄧曹彭曾肖田董潘袁蔡蒋蔣余于杜叶葉程魏苏蘇吕呂丁任卢盧姚沈钟鍾姜崔谭譚陆陸范汪廖石金韦韋贾賈夏付方邹鄒熊白孟秦邱侯江尹薛闫段雷龙龍黎史陶贺賀毛郝顾顧龚邵万萬覃武钱錢戴严嚴欧莫孔向常汤湯\
        佐鈴田渡伊山中小斎加吉木井清池橋阿森上村原藤岡長近石前後遠青坂福太西菊千酒
        """.map(String.init))
}
