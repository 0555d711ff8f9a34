// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "rollcall",
    platforms: [.macOS(.v15)],
    targets: [
        // Bytes in memory, and formats of bytes.
        .target(name: "Bytes"),

        // Units, a target a module.
        .testTarget(name: "BytesTests", dependencies: ["Bytes"]),
    ]
)
