import Foundation

/// A directory in which every field is an attack on the software that shows it, grouped by context.
public enum AttackDirectory {
    /// Texts that a browser, a shell, a terminal, a log or a header field could interpret. A script that runs sets
    /// `pwned`.
    public static let payloads: [String] = [
        // HTML text, and the end of elements with raw text.
        "<script>pwned=1</script>", "</title><script>pwned=1</script>", "</textarea><img src=x onerror=pwned=1>",
        "<img src=x onerror=pwned=1>", "<svg/onload=pwned=1>", "--><script>pwned=1</script>",
        "]]><script>pwned=1</script>", "<iframe srcdoc='<script>parent.pwned=1</script>'>",
        "<base href=//evil.example/>", "<!--", "<plaintext>", "<meta http-equiv=refresh content=0;url=//evil.example>",
        "&lt;script&gt;", "&#60;img src=x onerror=pwned=1&#62;",
        // Attributes.
        "\" onmouseover=pwned=1 x=\"", "' onmouseover=pwned=1 x='", "\"><script>pwned=1</script>",
        "'><script>pwned=1</script>", "\" autofocus onfocus=pwned=1 x=\"", "` onerror=pwned=1",
        "x onfocus=pwned=1 autofocus=",
        // URLs.
        "javascript:pwned=1", "JaVaScRiPt:pwned=1", "data:text/html,<script>pwned=1</script>", "vbscript:pwned=1",
        "//evil.example/", "/\\evil.example", "https://bank.example@evil.example/", "../../etc/passwd", "%2e%2e%2f",
        // Scripts, JSON, templates.
        "</script><script>pwned=1</script>", "';pwned=1;//", "${pwned=1}", "{{constructor.constructor('pwned=1')()}}",
        "{{#users}}", "{{> _head}}", "{{{login}}}", "\u{2028}pwned=1", "\\\"}],\"x\":[{\"", "\\u003cscript\\u003e",
        // Header fields and logs.
        "a%0d%0aSet-Cookie:%20a=b", "a, <https://evil.example>; rel=\"next\"", "%00", "%0a[error]",
        // Terminals, and text that looks like other text.
        "\\e[2J\\e]0;title\\a", "\u{202e}gpj.exe", "\u{2066}a\u{2069}", "a\u{200b}b", "K\u{0301}\u{0301}\u{0301}",
        // Spreadsheets and shells.
        "=HYPERLINK(\"https://evil.example\")", "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(1)", "$(touch /tmp/pwned)",
        "; rm -rf x",
        // Databases.
        "' OR 1=1 --", "\"; DROP TABLE user1; --", "%", "_", "*", "NEAR(", "AND",
    ]

    /// Returns a file to import: one user per payload, with the payload in every field.
    public static func ndjson() throws -> Data {
        var lines = Data()
        for (index, payload) in payloads.enumerated() {
            var person: [String: Any] = [
                "id": index + 1, "login": payload, "name": payload, "type": payload, "reputation": index,
                "avatar_url": payload, "html_url": payload, "bio": payload, "blog": payload, "location": payload,
                payload: payload, "list": [payload, ["name": payload, payload: payload]] as [Any],
            ]
            // Payloads that are accepted as web addresses.
            if index % 2 == 0 {
                person["avatar_url"] = "https://evil.example/\(payload)"
                person["html_url"] = "https://evil.example/?\(payload)"
                person["blog"] = "https://evil.example/#\(payload)"
            }
            lines += try JSONSerialization.data(withJSONObject: person)
            lines += Data("\n".utf8)
        }
        return lines
    }
}
