// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "rollcall",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        // What the system has.
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "CLinux"),

        // Bytes in memory, and formats of bytes.
        .target(name: "Bytes"),
        .target(name: "JSON", dependencies: ["Bytes"]),
        .target(name: "Gzip", dependencies: ["Bytes", "CZlib"]),
        .target(name: "Mustache", dependencies: ["Bytes"]),
        .target(name: "HTTP", dependencies: ["Bytes"]),

        // The server.
        .target(
            name: "HTTPServer",
            dependencies: ["Bytes", "CLinux", "HTTP", .product(name: "Logging", package: "swift-log")]),

        // Users: what they are, where they are kept, where they come from.
        .target(name: "Directories", dependencies: ["Bytes"]),
        .target(
            name: "StoreSQLite",
            dependencies: [
                "Bytes", "Directories",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]),
        .target(name: "Importers", dependencies: ["Bytes", "Directories", "Gzip", "JSON"]),

        // Units, a target a module.
        .testTarget(name: "BytesTests", dependencies: ["Bytes"]),
        .testTarget(name: "DirectoriesTests", dependencies: ["Bytes", "Directories"]),
        .testTarget(name: "GzipTests", dependencies: ["Bytes", "Gzip"]),
        .testTarget(name: "HTTPServerTests", dependencies: ["Bytes", "HTTP", "HTTPServer"]),
        .testTarget(name: "HTTPTests", dependencies: ["Bytes", "HTTP"]),
        .testTarget(name: "ImportersTests", dependencies: ["Bytes", "Directories", "Gzip", "Importers"]),
        .testTarget(name: "JSONTests", dependencies: ["Bytes", "JSON"]),
        .testTarget(name: "MustacheTests", dependencies: ["Bytes", "Mustache"]),
        .testTarget(
            name: "StoreSQLiteTests",
            dependencies: ["Bytes", "Directories", "StoreSQLite", .product(name: "GRDB", package: "GRDB.swift")]),
    ]
)
