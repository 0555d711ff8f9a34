/// A key that is added to a sort index or removed from it.
package struct SortChange {
    /// Its text is in the bytes of the batch.
    package var key: SortKey
    /// 1 for an added key, -1 for a removed one.
    package var delta: Int

    package init(key: SortKey, delta: Int) {
        self.key = key
        self.delta = delta
    }
}
