import Base
import People
import Testing

@Suite("Addresses of drawn pictures")
struct DrawnPictureAddressTests {
    @Test(arguments: [
        ("/pictures/initials/7/AB.svg", true),
        ("https://people.example/team/pictures/initials/11/%D8%B3.svg?s=80", true),
        ("/pictures/initials/0/.svg", true), ("/pictures/initials/12/AB.svg", false),
        ("/pictures/initials/07/AB.svg", false), ("/pictures/initials/7/AB.png", false),
        ("/pictures/faces/7.svg", false), ("https://people.example/AB.svg", false), ("", false), (".svg", false),
        ("/.svg", false), ("/7/AB.svg", false), ("initials/7/AB.svg", false),
    ])
    func initialsAreRecognised(_ address: String, _ expected: Bool) {
        #expect(address.withUTF8Bytes { DrawnPicture.isInitials($0) } == expected)
    }

    @Test(arguments: [
        ("/pictures/faces/7.svg", true), ("/pictures/faces/10000.svg", true), ("/pictures/faces/10001.svg", false),
        ("/pictures/faces/07.svg", false), ("/pictures/faces/.svg", false),
        ("https://a.example/pictures/faces/7.svg", false), ("", false), ("/", false),
    ])
    func facesAreRecognised(_ address: String, _ expected: Bool) {
        #expect(address.withUTF8Bytes { DrawnPicture.face(at: $0) != nil } == expected)
    }
}
