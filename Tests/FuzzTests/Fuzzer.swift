import Foundation

// The entry points that libFuzzer's main program calls. `Tests/fuzz` builds and runs it. ROLLCALL_FUZZ names the
// target.

private let target: FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["ROLLCALL_FUZZ"] ?? ""
    if let target = FuzzTarget.all.first(where: { $0.name == name }) { return target }
    print("expected one of \(FuzzTarget.all.map(\.name).joined(separator: ", ")), found \"\(name)\"")
    exit(2)
}()

@_cdecl("LLVMFuzzerTestOneInput")
public func checkInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do { try target.check(UnsafeRawBufferPointer(start: bytes, count: count)) } catch { fatalError("\(error)") }
    return 0
}

/// With `words` as its only argument, prints the target's words in libFuzzer's dictionary format, one quoted word per
/// line.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutableRawPointer) -> CInt {
    if CommandLine.arguments.dropFirst() == ["words"] {
        for word in target.words {
            print("\"" + word.utf8.map { "\\x" + String(256 + Int($0), radix: 16).suffix(2) }.joined() + "\"")
        }
        exit(0)
    }
    return 0
}
