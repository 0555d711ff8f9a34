import Base
import Foundation
import People

/// Returns the picture that a file becomes, or why it becomes none. Throws if no file can become one.
public typealias MakePicture = (_ file: [UInt8]) throws -> Result<MadePicture, RollcallError>

/// Makers that several threads share.
///
/// Unchecked: the list is used under the lock of `condition` only. A maker is used by the thread that took it out,
/// which gives it back when it has finished.
final class MakerPool: @unchecked Sendable {
    private let condition = NSCondition()
    private var idle: [MakePicture]

    init(_ makers: [MakePicture]) { idle = makers }

    /// Waits for an idle maker, and makes a picture with it.
    func make(_ file: [UInt8]) throws -> Result<MadePicture, RollcallError> {
        let maker = take()
        defer { give(maker) }
        return try maker(file)
    }

    private func take() -> MakePicture {
        condition.lock()
        defer { condition.unlock() }
        while true {
            if let maker = idle.popLast() { return maker }
            condition.wait()
        }
    }

    private func give(_ maker: @escaping MakePicture) {
        condition.lock()
        idle.append(maker)
        condition.signal()
        condition.unlock()
    }
}
