import Platform

extension Server {
    /// The access log: one line per request.
    public struct AccessLog: Sendable {
        public enum Format: String, CaseIterable, Sendable {
            case off
            /// The combined format of Apache and nginx, followed by the duration in microseconds and the request id.
            case common
            /// One JSON object per line.
            case json
        }

        public var format: Format
        /// Receives one or more whole lines. It may block: it runs on a queue of its own.
        public var sink: @Sendable (UnsafeRawBufferPointer) -> Void

        public init(
            _ format: Format = .off,
            sink: @escaping @Sendable (UnsafeRawBufferPointer) -> Void = Self.writing(to: STDOUT_FILENO)
        ) {
            self.format = format
            self.sink = sink
        }

        /// Returns a sink that writes to a descriptor. Lines that the descriptor does not accept are lost.
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
