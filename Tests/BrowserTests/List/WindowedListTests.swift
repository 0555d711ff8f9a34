import TestSupport
import Testing

extension BrowserTests {
    @Suite("Space reserved for the next users")
    struct WindowedListTests {
        private let footer = "$('footer').getBoundingClientRect().top + scrollY"
        private let room = "$('#more').offsetHeight"

        /// Ten users before more, and the last five, after which no space is reserved.
        @Test(arguments: [300, 35])
        func newUsersFillTheReservedSpace(users: Int) throws {
            let stage = try BrowserFixture.open(users: users).withFaults(then: .hold).visit()
            let empty = try stage.value(room, as: Int.self)
            try stage.scrollToEnd(untilState: "loading")
            #expect(try stage.value(room, as: Int.self) > empty + 100)
            let before = try stage.value(footer, as: Double.self)
            try stage.run(
                "addEventListener('sentinel:append', () => { window.after = [\(footer), \(room)] }, { once: true })")
            stage.proxy.release()
            try stage.wait(until: "window.after")
            let after = try stage.value("after", as: [Double].self)
            #expect(abs(after[0] - before) <= 2)
            #expect(after[1] == Double(empty))
        }

        @Test func anUnknownTotalReservesNoSpace() throws {
            let stage = try BrowserFixture.open(users: 20_000).withFaults(then: .hold).visit("/?q=a")
            #expect(try stage.value("users.dataset.total") == "")
            let empty = try stage.value(room, as: Int.self)
            try stage.scrollToEnd(untilState: "loading")
            #expect(try stage.value(room, as: Int.self) == empty)
        }
    }
}
