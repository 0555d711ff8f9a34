// swift-tools-version: 6.2

import Foundation
import PackageDescription

/// The folders of `Sources/` except that of `Assets`, whose path is the package, so that it includes `Public/` and
/// `Templates/`. SwiftPM caches this list, but a new module changes this file anyway.
let modules = try FileManager.default.contentsOfDirectory(atPath: "\(Context.packageDirectory)/Sources")
    .filter { $0 != "Assets" && !$0.hasPrefix(".") }.sorted()

/// The fuzz targets: a test suite that runs them on the corpus and on mutations of it, or, for `Tests/fuzz`, libFuzzer's
/// program, which searches for new inputs.
let fuzzing: Target = {
    let dependencies: [Target.Dependency] = [
        "Bytes", "Directories", "Exports", "Fields", "Gzip", "HTTP", "HTTPServer", "Images", "Importers", "JSON",
        "Mustache", "PictureWorker", "Pictures", "Site", "TestSupport",
        .product(name: "Logging", package: "swift-log"),
    ]
    if Context.environment["ROLLCALL_FUZZ"] != nil {
        return .executableTarget(
            name: "Fuzzer", dependencies: dependencies, path: "Tests/FuzzTests", exclude: ["Corpus", "Suite"],
            sources: ["Driver", "Targets"])
    }
    return .testTarget(name: "FuzzTests", dependencies: dependencies, exclude: ["Corpus", "Driver"])
}()

let package = Package(
    name: "rollcall",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "rollcall", targets: ["rollcall"])],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        // Libraries of the system.
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(
            name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
        .systemLibrary(name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
        .systemLibrary(name: "CWebP", pkgConfig: "libwebp", providers: [.apt(["libwebp-dev"])]),
        .target(name: "CLinux"),

        .target(name: "Platform"),

        // Bytes in memory, and formats of bytes.
        .target(name: "Bytes", dependencies: ["Platform"]),
        .target(name: "JSON", dependencies: ["Bytes"]),
        .target(name: "Gzip", dependencies: ["Bytes", "CZlib"]),
        .target(name: "Mustache", dependencies: ["Bytes"]),
        .target(name: "HTTP", dependencies: ["Bytes", "Platform"]),
        .target(name: "Metrics", dependencies: ["Bytes", "Platform"]),
        // The toolchain's own ICU, which Foundation brings along: collation, converters and detection of encodings.
        .target(
            name: "ICU", dependencies: ["Bytes"],
            linkerSettings: [.linkedLibrary("_FoundationICU", .when(platforms: [.linux]))]),

        // The server.
        .target(
            name: "HTTPServer",
            dependencies: [
                "Bytes", "CLinux", "HTTP", "Metrics", "Platform", .product(name: "Logging", package: "swift-log"),
            ]),

        // The client.
        .target(name: "HTTPClient", dependencies: ["Bytes", "CCurl", "Gzip", "HTTP", "Platform"]),

        // Pictures of users.
        .target(name: "Pictures", dependencies: ["Bytes"]),
        .target(
            name: "Images", dependencies: ["CPNG", "CTurboJPEG", "CWebP", "Pictures", "Platform"],
            // Scaling reads every pixel of an image. Without optimization it takes longer than the worker may compute.
            swiftSettings: [.unsafeFlags(["-O"], .when(configuration: .debug))]),
        .target(name: "PictureWorker", dependencies: ["Bytes", "CLinux", "Images", "Pictures", "Platform"]),

        // PostgreSQL, through its own client library.
        .target(name: "PostgresClient", dependencies: ["Bytes", "CPostgreSQL"]),

        // Users: what they are, where they are kept, where they come from.
        .target(name: "Fields", dependencies: ["Bytes", "ICU", "JSON"], exclude: ["README.md"]),
        .target(name: "Directories", dependencies: ["Bytes", "Fields", "ICU", "Pictures"]),
        .target(name: "NGramIndex", dependencies: ["Bytes"], exclude: ["README.md"]),
        .target(name: "SortIndex", dependencies: ["Bytes"], exclude: ["README.md"]),
        // The tables, indexes and searches that both stores share.
        .target(
            name: "StoreEngine",
            dependencies: ["Bytes", "Directories", "Fields", "ICU", "JSON", "NGramIndex", "Pictures", "SortIndex"],
            exclude: ["README.md"]),
        .target(
            name: "StoreSQLite",
            dependencies: [
                "Bytes", "CSQLite", "Directories", "Pictures", "Platform", "SortIndex", "StoreEngine",
            ]),
        .target(
            name: "StorePostgres",
            dependencies: [
                "Bytes", "Directories", "Pictures", "PostgresClient", "SortIndex", "StoreEngine",
            ], exclude: ["README.md"]),
        .target(name: "Exports", dependencies: ["Bytes", "Directories", "Fields", "JSON"]),
        .target(
            name: "Importers",
            dependencies: [
                "Assets", "Bytes", "Directories", "Exports", "Fields", "Gzip", "HTTPClient", "ICU", "JSON", "Pictures",
                "Platform",
            ], exclude: ["Demo/people.json"]),

        .target(
            name: "PictureFetching", dependencies: ["Bytes", "Directories", "HTTPClient", "Pictures"]),

        // The promises of a running Rollcall, proven from outside.
        .target(
            name: "Checks", dependencies: ["Bytes", "Directories", "Fields", "HTTPClient", "ICU", "JSON", "Pictures"]),

        // What readers see.
        .target(
            name: "Assets", dependencies: ["Platform"], path: ".",
            exclude: modules.map { "Sources/\($0)" }
                + [
                    "CHANGELOG.md", "Documentation", "LICENSE", "Plugins", "Public", "README.md", "Templates", "Tests",
                ],
            sources: ["Sources/Assets"], plugins: ["EmbedFiles"]),
        .plugin(name: "EmbedFiles", capability: .buildTool()),
        .target(
            name: "Site",
            dependencies: [
                "Assets", "Bytes", "Directories", "Exports", "Fields", "Gzip", "HTTP", "ICU", "JSON", "Metrics",
                "Mustache", "Pictures", .product(name: "Logging", package: "swift-log"),
            ]),

        // The program.
        .executableTarget(
            name: "rollcall",
            dependencies: [
                "Assets", "Bytes", "CLinux", "Checks", "Directories", "Exports", "Fields", "HTTPClient", "HTTPServer",
                "Importers", "JSON", "Metrics", "PictureFetching", "PictureWorker", "Pictures", "Platform", "Site",
                "PostgresClient", "StoreEngine", "StorePostgres", "StoreSQLite",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            // Reads options and connects modules; no request and no record of an import passes through it. Optimization
            // took 15 s of CPU time in a release build instead of 6, and made nothing faster (2026-11-22).
            swiftSettings: [.unsafeFlags(["-Onone"], .when(configuration: .release))]),

        // Units: a target for several modules that belong together, because every target costs a second of its own.
        .testTarget(
            name: "BytesTests",
            dependencies: ["Bytes", "Gzip", "ICU", "JSON", "Metrics", "Mustache", "TestSupport"]),
        .testTarget(
            name: "HTTPTests",
            dependencies: [
                "Bytes", "Gzip", "HTTP", "HTTPClient", "HTTPServer", "Pictures", "StandIn", "TestSupport",
            ]),
        .testTarget(
            name: "PicturesTests",
            dependencies: [
                "Bytes", "Directories", "HTTPClient", "Images", "PictureFetching", "PictureFiles", "PictureWorker",
                "Pictures", "StandIn", "TestSupport", "rollcall",
            ]),
        .testTarget(
            name: "DirectoriesTests", dependencies: ["Bytes", "Checks", "Directories", "Fields", "TestSupport"]),
        .testTarget(
            name: "ImportersTests",
            dependencies: [
                "Bytes", "Directories", "Exports", "Fields", "Gzip", "HTTPClient", "Importers", "StandIn",
                "TestSupport",
            ]),
        .testTarget(
            name: "SiteTests",
            dependencies: [
                "Assets", "Bytes", "Directories", "Exports", "Fields", "Gzip", "HTTP", "Mustache", "Pictures", "Site",
                "TestSupport", .product(name: "Logging", package: "swift-log"),
            ]),
        .testTarget(
            name: "StoreTests",
            dependencies: [
                "Bytes", "CPostgreSQL", "Directories", "Fields", "ICU", "NGramIndex", "Pictures", "PostgresClient",
                "SortIndex", "StoreEngine", "StorePostgres", "StoreSQLite", "TestSupport",
            ]),

        // The program, from outside: the binary with curl, and with Chromium.
        .target(
            name: "TestSupport",
            dependencies: ["Bytes", "Directories", "Fields", "Importers", "NGramIndex", "StoreEngine", "StoreSQLite"],
            path: "Tests/TestSupport",
            linkerSettings: [.linkedLibrary("_FoundationICU", .when(platforms: [.linux]))]),
        .target(
            name: "PictureFiles", dependencies: ["CTurboJPEG", "CWebP", "CZlib"], path: "Tests/PictureFiles"),
        .target(
            name: "StandIn", dependencies: ["Bytes", "Gzip", "HTTP", "HTTPServer", "TestSupport"], path: "Tests/StandIn"
        ),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "Gzip", "HTTPClient", "PictureFiles", "StandIn", "TestSupport", "rollcall",
            ]),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "Assets", "Bytes", "Directories", "Gzip", "HTTP", "Images", "Importers", "JSON", "Mustache",
                "PictureFiles", "PictureWorker", "Pictures", "Site", "StoreSQLite", "TestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ], path: "Tests/BenchmarkProgram", exclude: ["Peers"]),
        .executableTarget(
            name: "Differential", dependencies: ["TestSupport", "rollcall"], path: "Tests/DifferentialProgram"),
        .executableTarget(
            name: "Failures",
            dependencies: [
                "HTTP", "StandIn", "TestSupport", "rollcall",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/FailureProgram"),
        .testTarget(name: "BrowserTests", dependencies: ["Gzip", "TestSupport", "rollcall"]),
        fuzzing,
    ]
)

// `Tests/run` optimizes what tests test, but not the tests, which run once each time they are compiled.
for target in package.targets where target.type == .test {
    target.swiftSettings = [.unsafeFlags(["-Onone"], .when(configuration: .release))]
}
