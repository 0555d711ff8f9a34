import Base
import CPostgreSQL
import Foundation
import StoreEngine

/// The address of a PostgreSQL database: a URL as libpq reads it
/// (https://www.postgresql.org/docs/15/libpq-connect.html#LIBPQ-CONNSTRING), which may name several hosts.
///
/// The parameter `schema` is not libpq's: it names the schema that has the tables, `rollcall` by default. All parts
/// that the URL leaves out come from where libpq finds them: environment variables, service files and password files.
package struct DatabaseAddress: Equatable, Sendable, CustomStringConvertible {
    /// One of the hosts; each part as in the URL or in libpq's defaults.
    package struct Host: Equatable, Sendable {
        /// A name, an address or, beginning with `/`, the folder of a socket. Empty for libpq's default.
        package var name: String
        /// The address of the host, if the URL has it besides or instead of the name.
        package var address: String
        /// A number; empty for libpq's default.
        package var port: String

        package var isLocal: Bool {
            let place = address.isEmpty ? name : address
            return ["", "localhost", "::1"].contains(place) || ["/", "@", "127."].contains(where: place.hasPrefix)
        }
    }

    package static let defaultSchema = "rollcall"

    /// The schema of the tables: letters, digits and underscores. It may be a word of SQL, such as `select`, so it is
    /// in quotes there.
    package let schema: String
    package let hosts: [Host]
    /// Whether the URL itself has a password, which other users of the machine can see in a command line.
    package let hasPassword: Bool
    /// The URL without passwords, for messages and logs.
    package let description: String
    /// Whether somebody between this machine and a host could read or change what is sent: the host is not this
    /// machine, and `sslmode` does not verify it.
    package let isUnprotected: Bool
    /// The name of this program in the server's list of sessions, unless the URL has one.
    private let applicationName: String
    /// The parameters of the URL but for hosts, with passwords.
    private let parameters: [String: String]

    /// Returns whether `text` is a URL of PostgreSQL, and not the path of a file.
    package static func isAddress(_ text: String) -> Bool {
        text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
    }

    /// Reads a URL. Throws ``StoreError/Reason/foreign``; the message does not quote what may be a password.
    package init(_ text: String, applicationName: String = "rollcall") throws(StoreError) {
        self.applicationName = applicationName
        let (url, schemas) = Self.takingSchemas(from: text)
        schema = schemas.first ?? Self.defaultSchema
        try StoreError.check([
            (!Self.isAddress(text), .foreign, "a database address begins with postgres:// or postgresql://"),
            (
                Self.hasAmbiguousUser(text), .foreign,
                "the user or the password of the database address has a slash or an at sign; write %2F and %40 instead"
            ),
            (schemas.count > 1, .foreign, "the database address names \(schemas.count) schemas; name one"),
            (
                !Self.isPlainName(schema), .foreign,
                """
                the schema of a database address consists of lowercase letters, digits and underscores, begins with a \
                letter or an underscore but not with pg_, and has at most 63 characters
                """
            ),
        ])
        try Self.checkParameters(of: url)
        let options = try Self.options(of: url)
        let defaults = Self.defaults
        let value = { (name: String) in (options[name] ?? defaults[name] ?? nil)?.value ?? "" }
        // A service file may name other hosts: libpq reads it.
        let usesService = options["service"] != nil
        hosts = usesService ? [Host(name: "", address: "", port: "")] : Self.hosts(value)
        hasPassword = options.values.contains { $0.isSecret }
        isUnprotected = value("sslmode") != "verify-full" && hosts.contains { !$0.isLocal }
        let own = ["host", "hostaddr", "port"]
        parameters = options.filter { usesService || !own.contains($0.key) }.mapValues(\.value)
        description = Self.description(of: options, hosts, schema: schemas.first)
    }

    func parameters(for hosts: [Host]) -> [String: String] {
        var parameters = ["application_name": applicationName].merging(self.parameters) { $1 }
        for (name, values) in [
            ("host", hosts.map(\.name)), ("hostaddr", hosts.map(\.address)), ("port", hosts.map(\.port)),
        ] where values.contains(where: { !$0.isEmpty }) {
            parameters[name] = values.joined(separator: ",")
        }
        return parameters
    }
}

extension DatabaseAddress {
    /// Whether a password with a slash or an at sign is not escaped. libpq would take a part of it for the name of a
    /// host or a database, which messages show.
    private static func hasAmbiguousUser(_ text: String) -> Bool {
        let place = text.drop { $0 != ":" }.dropFirst(3).prefix { $0 != "?" }
        return place.lastIndex(of: "@").map { place[..<$0].contains { "@/".contains($0) } } ?? false
    }

    /// Throws if a parameter is not one of libpq's. libpq says so, too, but its message may show a password, so it is
    /// not passed on for most addresses.
    private static func checkParameters(of url: String) throws(StoreError) {
        let own = defaults.keys.sorted()
        // `ssl` is the name that JDBC uses; libpq reads it in URLs.
        let known = own + ["schema", "ssl"]
        // What follows a password may belong to it, as it may have an ampersand.
        let parameters = parts(of: url).parameters.prefix { !$0.hasPrefix("password=") }
        let names = parameters.compactMap { $0.prefixMatch(of: /([A-Za-z_]*)=/).map { String($0.1) } }
        guard let name = names.first(where: { !known.contains($0) }) else { return }
        throw StoreError(
            .foreign,
            "the database address has the parameter \(name), which neither Rollcall nor libpq knows; known are "
                + "schema, and those of libpq: \(own.joined(separator: ", "))")
    }

    private struct Option {
        let value: String
        let isSecret: Bool
    }

    private static func options(of url: String) throws(StoreError) -> [String: Option] {
        var message: UnsafeMutablePointer<CChar>?
        guard let list = PQconninfoParse(url, &message) else {
            defer { PQfreemem(message) }
            // The message may quote the URL, which may have a password.
            let isSafe = !url.contains("@") && !url.contains("password")
            let reason = message.map { String(cString: $0).joiningLines(with: "; ") } ?? "not enough memory"
            throw StoreError(
                .foreign,
                "the database address is not valid\(isSafe ? ": \(reason)" : "")"
                    + "; expected postgres://USER@HOST:PORT,HOST:PORT/DATABASE?PARAMETER=VALUE&…")
        }
        defer { PQconninfoFree(list) }
        return options(list).compactMapValues(\.self)
    }

    /// libpq's parameters, with the values that it takes from the environment, and its own defaults.
    private static var defaults: [String: Option?] {
        guard let list = PQconndefaults() else { return [:] }
        defer { PQconninfoFree(list) }
        return options(list)
    }

    private static func options(_ list: UnsafeMutablePointer<PQconninfoOption>) -> [String: Option?] {
        var options: [String: Option?] = [:]
        var option = list
        while let name = option.pointee.keyword {
            // An asterisk marks what must not be shown.
            let isSecret = option.pointee.dispchar.map { $0[0] == UInt8(ascii: "*") } ?? false
            let value = option.pointee.val.map { Option(value: String(cString: $0), isSecret: isSecret) }
            options.updateValue(value, forKey: String(cString: name))
            option += 1
        }
        return options
    }

    private static func hosts(_ value: (String) -> String) -> [Host] {
        let list = { (text: String) in text.split(separator: ",", omittingEmptySubsequences: false) }
        let (names, addresses, ports) = (list(value("host")), list(value("hostaddr")), list(value("port")))
        let at = { (list: [Substring], index: Int) in index < list.count ? String(list[index]) : "" }
        return (0..<max(names.count, addresses.count, 1)).map { index in
            Host(
                name: at(names, index), address: at(addresses, index),
                // One port is for all hosts.
                port: ports.count == 1 ? String(ports[0]) : at(ports, index))
        }
    }

    /// Takes the parameters `schema` out of `url`, because libpq refuses parameters that it does not know.
    private static func takingSchemas(from url: String) -> (url: String, schemas: [String]) {
        let (base, parameters) = parts(of: url)
        let schemas = parameters.filter { $0.hasPrefix("schema=") }.map { $0.dropFirst("schema=".count) }
        let rest = parameters.filter { !$0.hasPrefix("schema=") }
        return (
            base + (rest.isEmpty ? "" : "?" + rest.joined(separator: "&")),
            schemas.map { $0.removingPercentEncoding ?? String($0) }
        )
    }

    /// Returns the part before the parameters, and these. A `?` before the `@` is part of a password.
    private static func parts(of url: String) -> (base: Substring, parameters: [Substring]) {
        let start = url.firstRange(of: "://")?.upperBound ?? url.endIndex
        let authority = url[start...].prefix { $0 != "/" }
        let query = url[(authority.firstIndex(of: "@") ?? start)...].drop { $0 != "?" }
        return (url[..<query.startIndex], query.dropFirst().split(separator: "&"))
    }

    private static func isPlainName(_ name: String) -> Bool {
        name.utf8.count <= 63 && !name.hasPrefix("pg_") && name.wholeMatch(of: /[a-z_][a-z0-9_]*/) != nil
    }

    private static func description(of options: [String: Option], _ hosts: [Host], schema: String?) -> String {
        let places = hosts.filter { !$0.name.hasPrefix("/") }.map { host in
            let name = host.name.isEmpty ? host.address : host.name
            let bracketed = name.contains(":") ? "[\(name)]" : name
            return host.port.isEmpty ? bracketed : "\(bracketed):\(host.port)"
        }
        let hasSockets = places.count < hosts.count
        var text = "postgres://\(options["user"].map { "\($0.value)@" } ?? "")"
        text += hasSockets ? "" : places.joined(separator: ",")
        text += "/\(options["dbname"]?.value ?? "")"
        var parameters = options.filter { !["user", "dbname", "host", "hostaddr", "port"].contains($0.key) }
            .filter { !$0.value.isSecret }.map { "\($0.key)=\($0.value.value)" }.sorted()
        if hasSockets { parameters.insert("host=\(hosts.map(\.name).joined(separator: ","))", at: 0) }
        if let schema { parameters.append("schema=\(schema)") }
        return parameters.isEmpty ? text : "\(text)?\(parameters.joined(separator: "&"))"
    }
}
