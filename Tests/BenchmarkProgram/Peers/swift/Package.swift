// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that Rollcall depends on no server framework, not even where it is measured.
let package = Package(
    name: "peer",
    platforms: [.macOS(.v15)],
    dependencies: [.package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1")],
    targets: [
        .executableTarget(name: "peer", dependencies: [.product(name: "Hummingbird", package: "hummingbird")])
    ]
)
