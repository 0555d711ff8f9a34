/// Limits of the files that are made into pictures.
public enum PictureLimits {
    /// The longest file in bytes.
    public static let maxInputBytes = 4 << 20
    /// The most pixels of an original: 4,096 × 4,096. As RGBA they take 64 MiB.
    public static let maxPixels = 1 << 24
    /// The most scans of a progressive JPEG. Encoders write about ten; each one costs a pass over the whole image.
    public static let maxScans = 32
}
