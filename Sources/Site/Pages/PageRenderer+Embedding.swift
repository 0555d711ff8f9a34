import Bytes
import Directories
import HTTP
import Mustache

/// What fragments have in them for the libraries of other sites.
extension PageRenderer {
    /// Turbo takes of a fragment the `<turbo-frame>` that has the id of its own. The first page of users has one that a
    /// site can write down; every other one is called after its cursor.
    func setFrameIDs(_ frame: Frame<PageField>, _ page: Page, _ request: PageRequest) {
        model.write(frame, .frameID) { buffer in
            buffer.append(Self.firstFrameID)
            guard case .after(let cursor) = request.start else { return }
            buffer.append("-")
            buffer.append(cursor, in: request.sort.key)
        }
        model.write(frame, .nextFrameID) { buffer in
            buffer.append(Self.firstFrameID)
            guard let last = page.users.rows.indices.last else { return }
            buffer.append("-")
            page.users.append(cursorOf: last, in: request.sort.key, to: buffer)
        }
    }

    /// An error stands where the users would have come.
    func setEmbedding(_ frame: Frame<ErrorField>, _ embedding: Embedding?, _ target: UnsafeRawBufferPointer) {
        switch embedding {
        case .htmx: model.set(frame, .isHTMX, flag: true)
        case .unpoly: model.set(frame, .isUnpoly, flag: true)
        case .turbo:
            let since = target.queryItem("since")
            model.write(frame, .frameID) { buffer in
                buffer.append(Self.firstFrameID)
                if let since, !since.isEmpty {
                    buffer.append("-")
                    buffer.append(since)
                }
            }
        case .frame, .fittedFrame, .html, nil: break
        }
    }

    private static let firstFrameID: StaticString = "rollcall"
}

extension Templates {
    func fragment(for embedding: Embedding?) -> PageTemplate {
        switch embedding {
        case .htmx: htmx
        case .turbo: turbo
        case .unpoly: unpoly
        case .frame, .fittedFrame, .html, nil: fragment
        }
    }
}

extension UnsafeRawBufferPointer {
    /// The value of a query item of this target, still percent-encoded; `nil` where there is none.
    func queryItem(_ name: StaticString) -> UnsafeRawBufferPointer? {
        guard let mark = firstIndex(of: UInt8(ascii: "?")) else { return nil }
        var found: UnsafeRawBufferPointer?
        forEachQueryItem(in: UnsafeRawBufferPointer(rebasing: self[(mark + 1)...])) { item, value in
            if item.equals(name) { found = value }
        }
        return found
    }
}
