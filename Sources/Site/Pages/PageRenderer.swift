import Base
import Foundation
import Gzip
import Metrics
import Mustache
import People
import Server

/// Makes responses: reads what a resource shows, writes it, compresses it, and adds the header fields. Owns everything
/// that is used again from one response to the next: a reader of the store, a template model, buffers and compressors.
/// Belongs to one event loop or worker at a time.
final class PageRenderer {
    let site: Site
    let model = Model()
    /// The body of the current response, before compression.
    let body = ByteBuffer(capacity: 32_768)
    /// For one line or link at a time.
    let line = ByteBuffer(capacity: 1024)
    let compressed = ByteBuffer(capacity: 16_384)
    let compressor = GzipCompressor()
    /// For pages and JSON, with zlib's whole window.
    let largeCompressor = GzipCompressor(windowBits: 15, memoryLevel: 7)
    let reader: SiteReader
    var counters: SiteCounters { reader.counters }

    init(_ site: Site) {
        self.site = site
        reader = SiteReader(site)
    }

    var configuration: Site.Configuration { site.configuration }

    /// Returns the parts of a page in a language.
    func layout(_ language: LanguageChoice?) -> Layout {
        let code = language?.code ?? .en
        return Layout(
            model: model, site: site, line: line, language: site.languages[code], linkLanguage: language?.parameter)
    }

    /// Reads and writes what a task asks for, and returns the response with the time it took. Throws an ``HTTPError``,
    /// an error of the store, or, unless this is the last try, an ``OutdatedDirectory``.
    func make(
        _ task: RenderTask, key: [UInt8], isLastTry: Bool = false
    ) throws -> (ResponseCache.Entry, ServerTiming) {
        counters.cacheMisses.add(1)
        let began = Clock.nanoseconds
        body.removeAll()
        model.removeAll()
        var fields = Fields(capacity: 512)
        let directory: Directory
        do {
            directory = try write(task.resource, task, &fields)
        } catch let error as OutdatedDirectory where !isLastTry {
            throw error
        } catch let error where !(error is HTTPError) {
            throw DirectoryError(directory: task.resource.directory, reason: error)
        }
        if !isLastTry, directory.hasOtherSettings(than: task.resource.directory) { throw OutdatedDirectory() }
        let rendered = Clock.nanoseconds
        let entry = entry(for: task, key, directory, fields)
        let read = max(began, reader.lastRead)
        let timing = ServerTiming(
            began: began, database: read - began, rendering: rendered - read,
            compression: Clock.nanoseconds - rendered)
        return (entry, timing)
    }

    /// Returns the directory that the store has now.
    private func write<R: Resource>(_ resource: R, _ task: RenderTask, _ fields: inout Fields) throws -> Directory {
        let content = try resource.read(task, from: reader)
        try resource.write(content, task, with: self, fields: &fields)
        return content.directory
    }
}

/// The settings of the directory have changed since the request was read: its orders, filters and texts may be others
/// now.
struct OutdatedDirectory: Error, CustomStringConvertible {
    let description = "the settings of the directory are changing all the time"
}

extension Directory {
    fileprivate func hasOtherSettings(than known: Directory) -> Bool {
        id == known.id && generation != known.generation && settings != known.settings
    }
}
