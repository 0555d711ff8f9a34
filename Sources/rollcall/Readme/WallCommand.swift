import ArgumentParser
import Site

struct WallCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wall",
        abstract: "Write an image of many faces, for a README.",
        discussion: """
            rollcall wall -o contributors.svg

            Writes the image that a server has at /wall.svg: the first people of a directory in its order, and the \
            number of the others. Pictures that rollcall pictures has fetched are part of the image; people without \
            one have initials. A file with the same content stays untouched.

            Exit status: 0 the image was written, or is there already; 1 it failed, or the image would show nobody.
            """)

    @Option(
        name: [.customShort("o"), .customLong("output")], value: "file",
        help: "The file to write, called .svg; by default standard output.",
        completion: .file())
    var output: String?

    @OptionGroup var faces: FaceOptions
    @OptionGroup(title: "People") var people: PeopleOptions
    @OptionGroup var quietness: QuietOption

    func validate() throws {
        try expect(
            path == "-" || path.lowercased().hasSuffix(".svg"), "\(path.printable): expected a name that ends in .svg")
        try expect(people.max <= 500, "--max: expected 1 to 500 people in an image, found \(people.max)")
    }

    private var path: String { output ?? "-" }

    func run() throws {
        let image = try people.withSite { site, parameters in
            var parameters = parameters
            parameters += [("columns", "\(faces.columns ?? 12)"), ("max", "\(people.max)"), ("size", "\(faces.size)")]
            if people.bots { parameters.append(("bots", "1")) }
            return try site.wall(parameters)
        }
        try ExportFile.replace(path, by: required(image, "nobody is found: no image was written"))
    }
}
