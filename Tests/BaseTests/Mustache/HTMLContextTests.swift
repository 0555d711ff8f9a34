import Base
import TestSupport
import Testing

@testable import Template

@Suite("Values in HTML contexts")
struct HTMLContextTests {
    enum Name: Int, TemplateField {
        case text, url, html, flag

        static let kinds = FieldKinds<Self>(flags: [.flag], urls: [.url], markup: [.html])
    }

    private func problem(_ source: String) -> String {
        message { _ = try Template("t", schema: Schema(Name.self)) { _ in Array(source.utf8) } }
    }

    @Test(arguments: [
        "<p>{{text}} &amp; {{{html}}}</p>", "<p title=\"{{text}}\" lang='{{text}}'>",
        "<a href=\"{{url}}\">{{text}}</a>", "<a href=\"/users/{{text}}?a={{text}}\">",
        "<a data-x = \"{{text}}\"\nid=x\nclass=\"y {{text}}\">{{text}}", "<script src=\"{{url}}\"></script><p>{{text}}",
        "<style>p { a: b }</style>{{text}}", "a < b {{text}}", "<!doctype html>{{text}}<!-- <p {{text}} -->{{text}}",
        "<title>{{text}}</title>", "<br/>{{text}}", "<input value=\"{{text}}\"{{#flag}} checked{{/flag}}>{{text}}",
        "<body{{#flag}} class=\"a\"{{/flag}}>{{text}}", "<p class=\"a{{#text}} {{text}}{{/text}}\">{{text}}",
        "{{#flag}}<p>{{/flag}}{{text}}", "<SCRIPT></SCRIPT >{{text}}", "<p onclick=\"{{#flag}}x(){{/flag}}\">",
    ])
    func escapingIsEnough(_ source: String) {
        #expect(problem(source) == "")
    }

    @Test(arguments: [
        ("<p title={{text}}>", "without quotes"), ("<p title=a{{text}}>", "without quotes"),
        ("<p {{text}}>", "has its name"), ("<{{text}}>", "has its name"), ("</{{text}}>", "has its name"),
        ("<p da{{text}}=\"\">", "has its name"), ("<p title=\"\"{{text}}>", "has its name"),
        ("<script>x = \"{{text}}\"</script>", "script or style sheet"),
        ("<STYLE>{{text}}</STYLE>", "script or style sheet"),
        ("<script>'</scrip>{{text}}'</script>", "script or style sheet"),
        ("<p onclick=\"x('{{text}}')\">", "attribute \"onclick\" is code"),
        ("<p style=\"color: {{text}}\">", "\"style\" is code"), ("<iframe srcdoc='{{text}}'>", "\"srcdoc\" is code"),
        ("<p style=\"{{url}}\">", "\"style\" is code"), ("<a href=\"{{text}}\">", "javascript:"),
        ("<a HREF='{{text}}'>", "javascript:"), ("<a href=\"{{#flag}}/{{/flag}}{{text}}\">", "javascript:"),
        ("<form action=\"{{text}}\">", "javascript:"), ("<p title=\"{{{html}}}\">", "markup, which no attribute takes"),
        ("<p {{#flag}}title=\"{{/flag}}\">", "ends inside a tag"), ("{{#flag}}<!--{{/flag}}", "ends inside a tag"),
    ])
    func unsafeContextsAreRejected(_ source: String, _ reason: String) {
        let problem = problem(source)
        #expect(problem.hasPrefix("t.mustache:1:") && problem.contains(reason))
    }
}
