#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension Server {
    /// One line a request.
    public struct AccessLog: Sendable {
        public enum Format: String, CaseIterable, Sendable {
            case off
            /// The combined format of Apache and nginx, with the duration in microseconds and the request id after it.
            case common
            /// An object a line.
            case json
        }

        public var format: Format
        /// Takes whole lines, some at a time, and may block: it runs on a queue that does nothing else.
        public var sink: @Sendable (UnsafeRawBufferPointer) -> Void

        public init(
            _ format: Format = .off,
            sink: @escaping @Sendable (UnsafeRawBufferPointer) -> Void = Self.writing(to: STDOUT_FILENO)
        ) {
            self.format = format
            self.sink = sink
        }

        /// Writes to a descriptor, and gives up on lines it does not take.
        public static func writing(to descriptor: Int32) -> @Sendable (UnsafeRawBufferPointer) -> Void {
            { lines in
                var rest = lines
                while !rest.isEmpty {
                    let count = write(descriptor, rest.baseAddress, rest.count)
                    if count < 0, errno == EINTR { continue }
                    guard count > 0 else { return }
                    rest = UnsafeRawBufferPointer(rebasing: rest[count...])
                }
            }
        }
    }
}
