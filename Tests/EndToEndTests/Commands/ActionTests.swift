import Foundation
import StandIn
import TestSupport
import Testing

/// The script of `action.yml`, with a release whose program is the one under test, and a proxy in the place of the
/// hosts of faces.
@Suite("The action for contributors", .onThreadsForPrograms)
final class ActionTests: Stage {
    private static let script = RollcallProcess.packageFolder.appending(path: "Documentation/action/contributors").path

    /// A folder with a release, a repository and the one that it is pushed to.
    private var clone: String { path("clone") }

    override init() throws {
        try super.init()
        let program = try binary()
        try shell(
            """
            version=$('\(program)' --version | cut -d ' ' -f 2)
            name=rollcall-$version-linux-$(uname -m)
            mkdir -p releases/v$version $name/bin
            printf '#!/bin/sh\\nexec "%s" "$@"\\n' '\(program)' >$name/bin/rollcall
            chmod +x $name/bin/rollcall
            tar -cJf releases/v$version/$name.tar.xz $name
            (cd releases/v$version && sha256sum *.xz >SHA256SUMS)
            git init -q --bare origin.git
            git clone -q origin.git clone 2>/dev/null
            cd clone
            printf '# Team\\n<!-- rollcall:start -->\\n<!-- rollcall:end -->\\n' >README.md
            git add README.md
            export GIT_COMMITTER_NAME='Ada Lovelace' GIT_COMMITTER_EMAIL=7+ada@users.noreply.github.com
            git commit -q -m one --author='Ada Lovelace <7+ada@users.noreply.github.com>'
            git push -q origin HEAD 2>/dev/null
            """)
    }

    @discardableResult private func shell(_ script: String, _ environment: [String: String] = [:]) throws -> Output {
        try run("/bin/bash", ["-euc", "cd '\(folder.path)'; " + script], environment: environment)
    }

    private func act(_ output: String) throws -> Output {
        // Nobody answers at port 9 of this machine.
        try shell(
            "cd clone; '\(Self.script)'",
            [
                "OUTPUT": output, "RELEASES": "file://\(folder.path)/releases",
                "ROLLCALL_PROXY": "http://127.0.0.1:9", "ROLLCALL_ALLOW_NETWORK": "127.0.0.0/8",
            ])
    }

    private func pushed(_ file: String) throws -> String {
        try shell("git -C origin.git show HEAD:\(file) && git -C origin.git rev-list --count HEAD").output
    }

    @Test(arguments: ["contributors.svg", "README.md"])
    func pushesWhatHasChangedAndNothingElse(_ file: String) throws {
        try act(file).expect()
        let content = try pushed(file)
        #expect(content.contains("Ada Lovelace") && content.hasSuffix("2\n"), "\(content)")
        try act(file).expect(output: "has not changed")
        #expect(try pushed(file) == content)
    }

    @Test func usesNoReleaseWithAnotherChecksum() throws {
        try shell("echo x >>$(echo releases/*/*.xz)")
        let output = try act("contributors.svg")
        #expect(output.status != 0 && output.error.contains("did NOT match"), "\(output.error)")
    }
}
