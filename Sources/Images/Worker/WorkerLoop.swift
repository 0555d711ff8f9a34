import Base
import Glibc
import People

/// The child's side: makes pictures from the files that arrive on standard input, one at a time.
public enum WorkerLoop {
    /// Closes the sandbox, and serves requests until the parent closes the connection. Returns the exit status.
    public static func run() -> Int32 {
        do {
            try closeSandbox(after: warmUp)
        } catch {
            _ = write(.refused(RollcallError("\(error)")))
            return 1
        }
        guard write(.ready) else { return 1 }
        while let head = SystemFile.read(WorkerRequest.headBytes, from: STDIN_FILENO) {
            guard let (request, count) = WorkerRequest.parse(head),
                let body = SystemFile.read(count, from: STDIN_FILENO), write(answer(request, body))
            else { return 1 }
        }
        return 0
    }

    private static func answer(_ request: WorkerRequest, _ body: [UInt8]) -> WorkerReply {
        switch request {
        case .picture: picture(body)
        case .probe: .refused(RollcallError(Probe(body)?.attempt() ?? "expected a probe, found another name"))
        }
    }

    private static func picture(_ file: [UInt8]) -> WorkerReply {
        do throws(RollcallError) { return .made(try PictureMaker.make(file)) } catch { return .refused(error) }
    }

    /// Uses each decoder and encoder once.
    private static func warmUp() throws {
        let picture = try PictureMaker.make(dotGIF)
        for file in [picture.small, picture.medium, dotPNG] { _ = try PictureMaker.make(file) }
        _ = self.picture([])
    }

    /// A GIF of one pixel.
    private static let dotGIF =
        Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2]
        + [0x44, 1, 0, 0x3B]

    /// A PNG of one grey pixel.
    private static let dotPNG: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 13, 10, 0x1A, 10, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1]
        + [0, 0, 0, 1, 8, 0, 0, 0, 0, 0x3A, 0x7E, 0x9B, 0x55, 0, 0, 0, 10, 0x49, 0x44, 0x41]
        + [0x54, 0x78, 0x9C, 0x63, 0x68, 0, 0, 0, 0x82, 0, 0x81, 0x77, 0xCD, 0x72, 0xB6, 0, 0, 0, 0, 0x49]
        + [0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]

    private static func write(_ reply: WorkerReply) -> Bool { SystemFile.write(reply.bytes.span, to: STDOUT_FILENO) }
}
