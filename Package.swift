// swift-tools-version: 6.2

import Foundation
import PackageDescription

/// The folders of `Sources/` except that of `Template`, whose path is the package, so that it includes `Public/` and
/// `Templates/`. SwiftPM caches this list, but a new module changes this file anyway.
let modules = try FileManager.default.contentsOfDirectory(atPath: "\(Context.packageDirectory)/Sources")
    .filter { $0 != "Template" && !$0.hasPrefix(".") }.sorted()

/// What stands beside `Sources/`.
let beside = try FileManager.default.contentsOfDirectory(atPath: Context.packageDirectory)
    .filter { $0 != "Sources" && !$0.hasPrefix("Package.") && !$0.hasPrefix(".") }.sorted()

/// The fuzz targets: a test suite that runs them on the corpus and on mutations of it, or, for `Tests/fuzz`, libFuzzer's
/// program, which searches for new inputs.
let fuzzing: Target = {
    let dependencies: [Target.Dependency] = [
        "Base", "Images", "Importers", "People", "Publishing", "Server", "Site", "Template",
        "TestSupport",
        .product(name: "Logging", package: "swift-log"),
    ]
    if Context.environment["ROLLCALL_FUZZ"] != nil {
        return .executableTarget(
            name: "Fuzzer", dependencies: dependencies, path: "Tests/FuzzTests", exclude: ["Corpus", "Suite"],
            sources: ["Fuzzer.swift", "Targets"])
    }
    return .testTarget(name: "FuzzTests", dependencies: dependencies, exclude: ["Corpus", "Fuzzer.swift"])
}()

/// For modules whose functions return spans: they say whose bytes they are of. Swift 6.3 calls this an experiment.
let withLifetimes: [SwiftSetting] = [.enableExperimentalFeature("Lifetimes")]

/// For modules in which the compiler refuses unsafe pointers, and all else that it cannot prove to be safe
/// (Documentation/Development/Memory.md).
let withoutUnsafeCode: [SwiftSetting] =
    withLifetimes + [.strictMemorySafety(), .treatWarning("StrictMemorySafety", as: .error)]

let package = Package(
    name: "rollcall",
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
        // Debian's giflib 5.2 has no file for pkg-config.
        .systemLibrary(name: "CGIF", providers: [.apt(["libgif-dev"])]),
        .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
        .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
        .systemLibrary(name: "CZip", pkgConfig: "libzip", providers: [.apt(["libzip-dev"])]),
        .systemLibrary(
            name: "CXLSXWriter", pkgConfig: "xlsxwriter", providers: [.apt(["libxlsxwriter-dev"])]),
        .systemLibrary(name: "CWebP", pkgConfig: "libwebp", providers: [.apt(["libwebp-dev"])]),
        .target(name: "CLinux"),

        // Bytes in memory, and formats of bytes.
        // With the toolchain's own ICU, which Foundation brings along: collation, converters and detection of encodings.
        .target(
            name: "Base", dependencies: ["CLinux", "CZlib"], swiftSettings: withLifetimes,
            linkerSettings: [.linkedLibrary("_FoundationICU")]),
        .target(name: "Metrics", dependencies: ["Base"], swiftSettings: withoutUnsafeCode),

        // The server.
        .target(
            name: "Server",
            dependencies: ["Base", "CLinux", "Metrics", .product(name: "Logging", package: "swift-log")],
            swiftSettings: withLifetimes),

        // The client.
        .target(name: "HTTPClient", dependencies: ["Base", "CCurl"]),

        // Users: what they are, where they are kept, where they come from. Directories as readers see them, and, for
        // their publisher alone, everything else about them.
        .target(
            name: "People", dependencies: ["Base", "CXLSXWriter"], exclude: ["README.md"],
            swiftSettings: withLifetimes),
        .target(
            name: "Publishing", dependencies: ["Base", "People"],
            exclude: ["README.md", "Understanding/lexicon.json"], plugins: ["EmbedFiles"]),
        .target(name: "Indexes", dependencies: ["Base"], exclude: ["NGrams/README.md", "Orders/README.md"]),
        // The tables, indexes and searches that both stores share.
        .target(
            name: "StoreEngine",
            dependencies: ["Base", "Indexes", "People", "Publishing"],
            exclude: ["README.md"]),
        .target(
            name: "StoreSQLite",
            dependencies: ["Base", "CSQLite", "People", "Publishing", "StoreEngine"]),
        .target(
            name: "StorePostgres",
            dependencies: ["Base", "CPostgreSQL", "People", "Publishing", "StoreEngine"],
            exclude: ["README.md"]),
        .target(
            name: "Importers",
            dependencies: [
                "Base", "CExpat", "CZip", "HTTPClient", "People", "Publishing",
            ],
            exclude: ["Demo/people.json"], plugins: ["EmbedFiles"]),

        // Pictures of users: fetched, and made by a process of their own.
        .target(
            name: "Pictures", dependencies: ["Base", "HTTPClient", "People", "Publishing"],
            swiftSettings: withoutUnsafeCode),
        .target(
            name: "Images", dependencies: ["Base", "CGIF", "CLinux", "CPNG", "CTurboJPEG", "CWebP", "People"],
            // Scaling reads every pixel of an image. Without optimization it takes longer than the worker may compute.
            swiftSettings: [.unsafeFlags(["-O"], .when(configuration: .debug))]),

        // The promises of a running Rollcall, proven from outside. Not a part of the program, which is not optimized:
        // `rollcall check` would take ten times as long.
        .target(
            name: "Checks", dependencies: ["Base", "HTTPClient", "People"],
            swiftSettings: withoutUnsafeCode),

        // What readers see.
        .target(
            name: "Template", dependencies: ["Base"], path: ".",
            exclude: modules.map { "Sources/\($0)" } + beside,
            sources: ["Sources/Template"], swiftSettings: withoutUnsafeCode, plugins: ["EmbedFiles"]),
        .plugin(name: "EmbedFiles", capability: .buildTool()),
        .target(
            name: "Site",
            dependencies: [
                "Base", "Metrics", "People", "Server", "Template",
                .product(name: "Logging", package: "swift-log"),
            ], swiftSettings: withoutUnsafeCode),

        // The program.
        .executableTarget(
            name: "rollcall",
            dependencies: [
                "Base", "CLinux", "Checks", "HTTPClient", "Images", "Importers", "Metrics",
                "People", "Pictures", "Publishing", "Server", "Site", "StoreEngine", "StorePostgres", "StoreSQLite",
                "Template",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            // Reads options and connects modules; no request and no record of an import passes through it. Optimization
            // took 15 s of CPU time in a release build instead of 6, and made nothing faster (2026-11-22).
            swiftSettings: withoutUnsafeCode + [.unsafeFlags(["-Onone"], .when(configuration: .release))]),

        // Units: a target for several modules that belong together, because every target costs a second of its own.
        .testTarget(
            name: "BaseTests",
            dependencies: ["Base", "Metrics", "Template", "TestSupport"]),
        .testTarget(
            name: "HTTPTests",
            dependencies: ["Base", "HTTPClient", "Server", "StandIn", "TestSupport"]),
        .testTarget(
            name: "PicturesTests",
            dependencies: [
                "Base", "HTTPClient", "Images", "People", "PictureFiles", "Pictures", "Publishing", "StandIn",
                "TestSupport",
            ]),
        .testTarget(
            name: "PeopleTests", dependencies: ["Base", "Checks", "People", "Publishing", "TestSupport"]),
        .testTarget(
            name: "ImportersTests",
            dependencies: [
                "Base", "HTTPClient", "Importers", "People", "Publishing", "StandIn", "TestSupport",
            ],
            exclude: ["Workbooks"]),
        .testTarget(
            name: "SiteTests",
            dependencies: [
                "Base", "People", "Publishing", "Server", "Site", "Template", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
            ]),
        .testTarget(
            name: "StoreTests",
            dependencies: [
                "Base", "CPostgreSQL", "Indexes", "People", "Publishing", "StoreEngine",
                "StorePostgres", "StoreSQLite", "TestDatabases", "TestSupport",
            ]),

        // What commands decide, without a process.
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "Base", "Importers", "People", "Publishing", "Server", "Site", "StandIn", "StoreSQLite",
                "TestDatabases", "TestSupport", "rollcall",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),

        // The program, from outside: the binary with curl, and with browsers. SwiftPM builds the binary with all tests.
        // Tests that depended on it, or on more than they use, would compile last, one after the other.
        .target(
            name: "TestSupport", dependencies: ["Base", "CLinux"], path: "Tests/TestSupport",
            linkerSettings: [.linkedLibrary("_FoundationICU")]),
        .target(
            name: "TestDatabases",
            dependencies: ["Importers", "People", "StoreEngine", "StoreSQLite", "TestSupport"],
            path: "Tests/TestDatabases"),
        .target(
            name: "PictureFiles", dependencies: ["CTurboJPEG", "CWebP", "CZlib"], path: "Tests/PictureFiles"),
        .target(
            name: "StandIn", dependencies: ["Base", "PictureFiles", "Server", "TestSupport"], path: "Tests/StandIn"),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "Base", "Checks", "HTTPClient", "PictureFiles", "StandIn", "TestDatabases", "TestSupport",
            ],
            exclude: ["Released"]),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "Base", "Images", "Importers", "People", "PictureFiles", "TestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], path: "Tests/BenchmarkProgram", exclude: ["Peers"]),
        .executableTarget(
            name: "Differential", dependencies: ["TestDatabases", "TestSupport", "rollcall"],
            path: "Tests/DifferentialProgram"),
        .executableTarget(
            name: "Failures",
            dependencies: [
                "Server", "StandIn", "TestSupport", "rollcall",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/FailureProgram"),
        .testTarget(name: "BrowserTests", dependencies: ["TestDatabases", "TestSupport"]),
        fuzzing,
    ]
)

// `Tests/run` optimizes what tests use much, which takes a fifth of their CPU time, and nothing else: optimization of a
// module takes four times as long as its compilation without. For size, because that takes the compiler less than for
// speed.
if Context.environment["ROLLCALL_OPTIMIZED_TESTS"] != nil {
    let hot: Set = [
        "Base", "HTTPClient", "Images", "Importers", "Indexes", "People", "PictureFiles", "Pictures", "Publishing",
        "Server", "Site", "StoreEngine", "StoreSQLite", "Template",
    ]
    for target in package.targets where hot.contains(target.name) {
        target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-Osize", "-assert-config", "Debug"])]
    }
}
