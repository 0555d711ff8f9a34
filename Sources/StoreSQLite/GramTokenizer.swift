import GRDBSQLite

/// The tokenizer `gram` for FTS5: every one, two and three characters in a row that stand in a text are tokens.
///
/// FTS5's own `trigram` finds nothing for words of one or two characters, which are whole names in Hangul and Han. White
/// space ends a run, because words to search for hold none. A query's strings are taken as the one token they are.
func registerGramTokenizer(on connection: OpaquePointer) throws {
    var tokenizer = fts5_tokenizer(
        xCreate: { _, _, _, instance in
            // FTS5 takes a null instance for a failure; nothing is ever read through this one.
            instance?.pointee = OpaquePointer(bitPattern: 1)
            return SQLITE_OK
        },
        xDelete: { _ in },
        xTokenize: { _, context, flags, text, count, token in
            guard let text, let token, count > 0 else { return SQLITE_OK }
            if flags & FTS5_TOKENIZE_QUERY != 0 { return token(context, 0, text, count, 0, count) }
            return text.withMemoryRebound(to: UInt8.self, capacity: Int(count)) { bytes in
                eachGram(of: UnsafeBufferPointer(start: bytes, count: Int(count))) { start, length in
                    token(context, 0, text + start, Int32(length), Int32(start), Int32(start + length))
                }
            }
        })
    guard let api = try fts5API(of: connection) else {
        throw StoreError(.sqlite(SQLITE_ERROR), "this SQLite was built without FTS5, which Rollcall needs")
    }
    let code = api.pointee.xCreateTokenizer(api, "gram", nil, &tokenizer, nil)
    guard code == SQLITE_OK else { throw StoreError(.sqlite(code), "SQLite: cannot register the tokenizer (\(code))") }
}

/// Longest gram, in characters.
let maxGram = 3

private func eachGram(of text: UnsafeBufferPointer<UInt8>, _ body: (_ start: Int, _ length: Int) -> Int32) -> Int32 {
    // One bit for each ASCII character met alone: most letters come more than once, and a token need be said only once.
    var seen: (UInt64, UInt64) = (0, 0)
    var start = 0
    while start < text.count {
        var end = start
        for length in 1...maxGram {
            guard end < text.count, !isSpace(text[end]) else { break }
            end += 1
            while end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
            if length == 1, text[start] < 0x80 {
                let bit: UInt64 = 1 << UInt64(text[start] & 63)
                let isKnown = text[start] < 64 ? seen.0 & bit != 0 : seen.1 & bit != 0
                if isKnown { continue }
                if text[start] < 64 { seen.0 |= bit } else { seen.1 |= bit }
            }
            let code = body(start, end - start)
            if code != SQLITE_OK { return code }
        }
        start += 1
        while start < text.count, text[start] & 0xC0 == 0x80 { start += 1 }
    }
    return SQLITE_OK
}

private func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }

/// See "Extending FTS5" in SQLite's documentation: a function answers through a pointer bound to it.
private func fts5API(of connection: OpaquePointer) throws -> UnsafeMutablePointer<fts5_api>? {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(connection, "SELECT fts5(?)", -1, &statement, nil) == SQLITE_OK else { return nil }
    defer { sqlite3_finalize(statement) }
    var api: UnsafeMutablePointer<fts5_api>?
    _ = withUnsafeMutablePointer(to: &api) {
        sqlite3_bind_pointer(statement, 1, $0, "fts5_api_ptr", nil)
        return sqlite3_step(statement)
    }
    return api
}
