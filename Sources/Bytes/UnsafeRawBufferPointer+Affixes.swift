extension UnsafeRawBufferPointer {
    /// Returns the bytes after `prefix`, or `nil` if these bytes do not start with it.
    public func removingPrefix(_ prefix: StaticString) -> UnsafeRawBufferPointer? {
        let length = prefix.utf8CodeUnitCount
        guard count >= length, UnsafeRawBufferPointer(rebasing: self[..<length]).equals(prefix) else { return nil }
        return UnsafeRawBufferPointer(rebasing: self[length...])
    }

    public func removingPrefix(_ prefix: String) -> UnsafeRawBufferPointer? {
        if prefix.isEmpty { return self }
        guard starts(with: prefix.utf8) else { return nil }
        return UnsafeRawBufferPointer(rebasing: self[prefix.utf8.count...])
    }

    /// Returns the bytes before `suffix`, or `nil` if these bytes do not end with it.
    public func removingSuffix(_ suffix: StaticString) -> UnsafeRawBufferPointer? {
        let rest = count - suffix.utf8CodeUnitCount
        guard rest >= 0, UnsafeRawBufferPointer(rebasing: self[rest...]).equals(suffix) else { return nil }
        return UnsafeRawBufferPointer(rebasing: self[..<rest])
    }
}
