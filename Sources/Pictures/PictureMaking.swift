import Base
import Foundation
import People

/// Makes pictures of files. Used by one thread at a time.
public protocol PictureMaking: AnyObject {
    /// Returns the picture that `file` becomes, or why it becomes none. Throws if no file can become one.
    func make(_ file: [UInt8]) throws -> Result<MadePicture, RollcallError>
}

/// Makers that several threads share.
///
/// Unchecked: the list is used under the lock of `condition` only. A maker is used by the thread that took it out,
/// which gives it back when it has finished.
final class MakerPool: @unchecked Sendable {
    private let condition = NSCondition()
    private var idle: [any PictureMaking]

    init(_ makers: [any PictureMaking]) { idle = makers }

    /// Waits for an idle maker, and makes a picture with it.
    func make(_ file: [UInt8]) throws -> Result<MadePicture, RollcallError> {
        let maker = take()
        defer { give(maker) }
        return try maker.make(file)
    }

    private func take() -> any PictureMaking {
        condition.lock()
        defer { condition.unlock() }
        while true {
            if let maker = idle.popLast() { return maker }
            condition.wait()
        }
    }

    private func give(_ maker: any PictureMaking) {
        condition.lock()
        idle.append(maker)
        condition.signal()
        condition.unlock()
    }
}
