// swift-tools-version: 6.2

import PackageDescription

// A separate package, so that Rollcall depends on no server framework, not even for benchmarks.
let package = Package(
    name: "peer",
    platforms: [.macOS(.v15)],
    dependencies: [.package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1")],
    targets: [.executableTarget(name: "peer", dependencies: [.product(name: "Hummingbird", package: "hummingbird")])]
)
