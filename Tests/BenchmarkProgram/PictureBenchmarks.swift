import Foundation
import Images
import People
import PictureFiles
import TestSupport

/// Measures the making of pictures: in this process, and in the worker of the program beside this one.
struct PictureBenchmarks {
    let rounds: Int
    private static let files: [(name: String, bytes: [UInt8])] = {
        let portrait = TestImage.portrait(side: 460)
        return [
            ("JPEG, 460 px", portrait.jpeg(quality: 85)),
            ("progressive JPEG, 460 px", portrait.jpeg(quality: 85, isProgressive: true)),
            ("PNG, 460 px", portrait.png()), ("WebP, 460 px", portrait.webp()),
            ("GIF, 460 px", GIFFile(TestImage.chequer(side: 460)).bytes),
            ("JPEG, 4,000 px", TestImage.portrait(side: 4000).jpeg(quality: 85)),
        ]
    }()

    func table() throws -> Table {
        var table = Table(
            "Pictures of 96, 256 and 512 px", "file", "KB", "ms of CPU in process", "in the worker",
            "more in the parent", "made KB")
        let worker = WorkerProcess(executable: try RollcallProcess.executable().path)
        for (name, file) in Self.files {
            let made = try worker.make(file).get()
            let inProcess = try (0..<rounds).map { _ in
                let watch = Stopwatch()
                for _ in 0..<20 { _ = try PictureMaker.make(file) }
                return watch.elapsed / 20e6
            }.median
            let shares = try (0..<rounds).map { _ in try share(of: worker, file) }
            table.add(
                name, (Double(file.count) / 1000).shown(1), inProcess.shown(2),
                shares.map(\.worker).median.shown(2), shares.map(\.parent).median.shown(2),
                PictureSize.allCases.map { (Double(made[$0].count) / 1000).shown(1) }.joined(separator: " + "))
        }
        return table
    }

    /// Returns the CPU time of a picture in milliseconds.
    private func share(of worker: WorkerProcess, _ file: [UInt8]) throws -> (worker: Double, parent: Double) {
        var clock = clockid_t()
        clock_getcpuclockid(worker.processID ?? 0, &clock)
        func used() -> Double {
            var time = timespec()
            clock_gettime(clock, &time)
            return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
        }
        let (start, watch) = (used(), Stopwatch())
        for _ in 0..<20 { _ = try worker.make(file).get() }
        return ((used() - start) / 20e6, watch.elapsed / 20e6)
    }
}
