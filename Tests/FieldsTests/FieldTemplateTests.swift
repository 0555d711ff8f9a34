import Testing

@testable import Fields

@Suite("Templates of fields")
struct FieldTemplateTests {
    @Test func textWithoutBracesIsOneColumn() {
        #expect(FieldTemplate("Job title").onlyColumn == "Job title")
    }

    @Test func bracesNameColumns() {
        let template = FieldTemplate("{Vorname} {Nachname}")
        #expect(template.parts == [.column("Vorname"), .text(" "), .column("Nachname")])
        #expect(template.onlyColumn == nil)
    }
}
