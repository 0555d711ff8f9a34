import Testing

@testable import People

@Suite("Templates of fields")
struct FieldTemplateTests {
    @Test func textWithoutBracesIsOneColumn() { #expect(FieldTemplate("Job title").onlyColumn == "Job title") }

    @Test func bracesNameColumns() {
        let template = FieldTemplate("{Vorname} {Nachname}")
        #expect(template.parts == [.column("Vorname"), .text(" "), .column("Nachname")])
        #expect(template.onlyColumn == nil)
    }

    @Test func bracesCanBePartsOfHeadings() {
        #expect(FieldTemplate(#"{Name \{de\}} \{"#).parts == [.column("Name {de}"), .text(" {")])
        for heading in ["Name {de}", "{", "}", "{}", "a}", "{{x}}", #"\"#, #"{\}"#] {
            #expect(FieldTemplate(FieldTemplate([.column(heading)]).description).onlyColumn == heading, "\(heading)")
            let parts = [FieldTemplate.Part.column(heading), .text(" – { "), .column("b")]
            #expect(FieldTemplate(FieldTemplate(parts).description).parts == parts, "\(heading)")
        }
        for text in ["{A", "{}", "{ }", "{A{B}}"] { #expect(!FieldTemplate.isValid(text), "\(text)") }
    }
}
