import People
import Testing

@testable import Importers

/// A row that cannot be read costs as few lines as possible.
@Suite("Damaged tables")
struct DamagedTableTests {
    private let isTooWide = "expected at most 1 MiB and 1,024 columns, found more"
    private let endOfFile = "expected a closing quote, found the end of the file"
    private let textBehind = "expected a closing quote, found one with text behind it"
    private let textAfter = "expected a separator or the end of the line after a closing quote, found text"

    /// The lines 3 to 10,000: 1.3 MB, more than a record may have.
    private var rows: String {
        let name = String(repeating: "x", count: 120)
        return (3...10_000).map { "\($0),user\($0),\(name)\n" }.joined()
    }

    /// Reads `text` whole and in pieces, which must give the same.
    private func reading(_ text: String, sizes: [Int] = [1, 7, 64]) -> MemorySink {
        let bytes = Array(text.utf8)
        let whole = read([bytes[...]])
        for size in sizes {
            let pieces = stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] }
            let sink = read(pieces)
            #expect(
                sink.users == whole.users && sink.rejections == whole.rejections,
                "in pieces of \(size): \(sink.rejections), not \(whole.rejections)")
        }
        return whole
    }

    @Test func anOpenQuoteCostsItsLine() {
        for end in ["2,b\n", "2,b"] {
            let sink = reading("id,login\n1,\"a\n" + end)
            #expect(sink.users.map(\.login) == ["b"] && sink.rejections == ["line 2: \(endOfFile)"])
        }
        #expect(reading("id,login\n1,a\n2,\"b").rejections == ["line 3: \(endOfFile)"])
    }

    @Test func textAfterAClosingQuoteIsReported() {
        let sink = reading("id,login,name\n1,a,\"x\"y\n2,b,c\n3,c,\"open\n4,d,d\n5,e,\"e\"\n6,f,\"f\" \n")
        #expect(sink.users.map(\.login) == ["b", "d", "e", "f"])
        #expect(sink.rejections == ["line 2: \(textAfter)", "line 4: \(textBehind)"])
    }

    /// The row would be read from its beginning with every piece.
    @Test func blanksBehindAQuoteAreBounded() {
        let blanks = String(repeating: " ", count: 1 << 21)
        let sink = reading("id,login\n1,\"a\"\(blanks)\n2,\"b\" \n", sizes: [1 << 18])
        #expect(sink.users.map(\.login) == ["b"] && sink.rejections == ["line 2: \(isTooWide)"])
    }

    @Test func anUnclosedQuoteDoesNotSwallowALargeFile() {
        let sink = reading("id,login,name\n2,\"a\n" + rows, sizes: [4096])
        #expect(sink.rejections == ["line 2: expected a closing quote, found 1 MiB of text"])
        #expect(sink.users.count == 9_998)
    }

    /// A quote that closes where another cell opens would swallow one row after the other.
    @Test func quotesThatSwapInsideAndOutsideCostTheirLines() {
        let rows = (3...5000).map { "\($0),\",\",x\n" }.joined()
        let sink = reading("id,login,name\n2,\"a,b\n" + rows, sizes: [61])
        #expect(sink.users.count == 4998 && sink.rejections == ["line 2: \(isTooWide)"])
    }

    /// Every second row opens a quote that the next one closes. Each is read a few times, not thousands of times.
    @Test func rowsThatAllOpenQuotesAreReadOnce() {
        let rows = (1...20_000).map { "\($0),x\($0)\",\"b\n\($0 + 100_000),y,z\n" }.joined()
        let sink = reading("id,login,name\n" + rows, sizes: [4096])
        #expect(sink.users.count == 20_000 && sink.rejections.count == 20_000)
    }

    /// The end of a broken cell does not pass for a person.
    @Test func linesThatAreNoRowsAreLeftOutAndCounted() {
        let note = "1,Ann,\"He said \"hello\" to me\nand left\nfor good\",Bonn\n"
        let sink = reading("id,name,note,city\n" + note + "2,Ben,,Köln\n3,Cid\n")
        #expect(sink.users.map(\.name) == ["Ben", "Cid"])
        #expect(sink.rejections == ["lines 2 to 4: \(textAfter); 3 lines left out"])
        let cells = reading("id,name\n1,\"a\nb\",c,d\n2,Ben\n")
        #expect(cells.users.map(\.name) == ["Ben"])
        #expect(cells.rejections == ["lines 2 to 3: expected 2 columns, found 4; 2 lines left out"])
    }

    @Test func aRowThatIsTooWideEndsWhereTheNextOneBegins() {
        let wide = String(repeating: "a,", count: 1100) + "\"b\nc\",\"\"\"d\n,\"\"\",e\"f,g\n"
        let sink = reading("id,login\n1,a\n\(wide)2,b\n", sizes: [1, 7, 2205])
        #expect(sink.users.map(\.login) == ["a", "b"])
        #expect(sink.rejections == ["lines 3 to 5: \(isTooWide); 3 lines left out"])
        let open = String(repeating: "a,", count: 1100) + "\"open\n"
        let rest = reading("id,login,name\n1,a,A\n" + open + rows, sizes: [4096])
        #expect(rest.users.count == 9_999 && rest.rejections == ["line 3: \(isTooWide)"])
    }

    @Test func theSummaryCountsLines() throws {
        let summary = try FileImport().run("id,name,city\n1,Ann,\"x\"y\nz\n2,Ben,Bonn\n").summary
        #expect(summary.progress.rejected == 2 && summary.counts.added == 1)
    }
}
