// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Runs the program with a password in each form that the configuration knows, against servers that show
/// what they were sent, and looks for it in everything that the program leaves behind.
@Suite(.timeLimit(.minutes(60))) struct SecretTests {
  /// A password whose spellings all differ.
  static let marker = "Mark3r+S3cret/x=&y"

  struct Form: CustomTestStringConvertible {
    let key: String
    /// The lines of the configuration.
    var lines: String
    /// Files beside it, which only their owner can read.
    var files: [String: String] = [:]
    /// What stands before the command.
    var environment = ""
    var testDescription: String { key }
  }

  static let forms = [
    Form(key: "password", lines: "password = \"\(marker)\""),
    Form(
      key: "password-file", lines: "password-file = \"secret\"", files: ["secret": marker + "\n"]),
    Form(
      key: "password-command", lines: "password-command = [\"sh\", \"config/epact/tell.sh\"]",
      files: ["secret": marker, "tell.sh": tell]),
    Form(
      key: "password-env", lines: "password-env = \"DAV_PASSWORD\"",
      environment: "DAV_PASSWORD='\(marker)'"),
    Form(
      key: "password-credential", lines: "password-credential = \"dav\"", files: ["dav": marker],
      environment: "CREDENTIALS_DIRECTORY=\"$DIR/config/epact\""),
    Form(
      key: "password-netrc", lines: "password-netrc = \"netrc\"",
      files: ["netrc": "machine 127.0.0.1 login ada password \(marker)\n"]),
    Form(
      key: "token-command", lines: "token-command = [\"sh\", \"config/epact/tell.sh\"]",
      files: ["secret": marker, "tell.sh": tell]),
  ]

  /// Tells the secret, and writes down how the program was called that asked for it.
  static let tell = """
    tr '\\0' ' ' < /proc/$PPID/cmdline >> "$DIR/cmdlines"
    cat "$DIR/config/epact/secret"
    """

  /// A server that refuses in several ways, and shows each time what it was sent.
  static func script(_ request: LoopbackServer.Request, refusal: String) -> [LoopbackServer.Step] {
    let shown = request["authorization"] ?? "nothing"
    let plain = shown.hasPrefix("Basic ") ? marker : shown
    let escaped = plain.replacing("&", with: "&amp;")
    let body =
      "<?xml version=\"1.0\"?><d:error xmlns:d=\"DAV:\" xmlns:s=\"http://sabredav.org/ns\">"
      + "<s:message>you sent \(shown), which is \(marker) or \(escaped)</s:message></d:error>"
    return [.answer(refusal, fields: ["Content-Type: application/xml"], body: body)]
  }

  /// The forms in which the secret may not be anywhere.
  static let spellings: [String] = {
    let data = Data(marker.utf8)
    let encoded = marker.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    // In base64 the secret looks different after none, one and two other bytes; the ends are mixed with
    // what stands beside them.
    let base64 = (0..<3).map { offset in
      let text = (Data(repeating: 0x61, count: offset) + data).base64EncodedString()
      return String(text.dropFirst(offset == 0 ? 0 : 4).dropLast(4))
    }
    return [marker, marker.replacing("&", with: "&amp;"), encoded] + base64
  }()

  /// Writes a configuration and grants access.
  func prepare(_ form: Form, url: String, in sandbox: Sandbox) throws {
    let folder = sandbox.folder.appending(path: "config/epact")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try FileManager.default.createDirectory(
      at: sandbox.folder.appending(path: "home"), withIntermediateDirectories: true)
    let text = """
      [calendar.home]
      path = "~/home"
      [remote.work]
      kind = "caldav"
      url = "\(url)"
      username = "ada"
      \(form.lines)
      [[sync]]
      name = "work"
      calendar = "home"
      remote = "work"
      """
    for (name, content) in form.files.merging(["config.toml": text], uniquingKeysWith: { $1 }) {
      let file = folder.appending(path: name)
      try Data(content.utf8).write(to: file)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    }
    let granted = try sandbox.run(
      "\(form.environment) epact access work --grant full --purpose 'Keeps both in step for tests'")
    #expect(granted.status == 0, "\(granted.errors)")
  }

  /// Everything in the folders that the program writes to.
  func leftBehind(in sandbox: Sandbox) throws -> [(name: String, bytes: Data)] {
    var found: [(String, Data)] = []
    for folder in ["state", "home"] {
      let url = sandbox.folder.appending(path: folder)
      let files = FileManager.default.enumerator(at: url, includingPropertiesForKeys: nil)
      while let file = files?.nextObject() as? URL {
        if let bytes = try? Data(contentsOf: file) { found.append((file.lastPathComponent, bytes)) }
      }
    }
    if let bytes = try? Data(contentsOf: sandbox.folder.appending(path: "cmdlines")) {
      found.append(("the arguments of the program", bytes))
    }
    return found
  }

  func expectNoSecret(_ text: Data, in place: String) {
    for spelling in Self.spellings where text.range(of: Data(spelling.utf8)) != nil {
      Issue.record("the password is in \(place), spelt \(spelling)")
    }
  }

  @Test(arguments: forms) func `A password is nowhere to be found`(_ form: Form) async throws {
    for refusal in ["401 Unauthorized", "403 Forbidden", "500 Internal Server Error"] {
      let server = try LoopbackServer { Self.script($0, refusal: refusal) }
      defer { server.stop() }
      let sandbox = try Sandbox()
      try prepare(form, url: "http://127.0.0.1:\(server.port)/cal/", in: sandbox)
      for options in ["-v -v -v", "--json", "--dry-run"] {
        let result = try sandbox.run("\(form.environment) epact sync \(options)")
        #expect(result.status != 0)
        expectNoSecret(Data(result.output.utf8), in: "the output of sync \(options)")
        expectNoSecret(Data(result.errors.utf8), in: "the errors of sync \(options)")
      }
      // The server was asked, with the password: or nothing would have been tried.
      let sent = server.requests.compactMap { $0["authorization"] }
      let wanted =
        form.key == "token-command"
        ? "Bearer \(Self.marker)"
        : "Basic " + Data("ada:\(Self.marker)".utf8).base64EncodedString()
      #expect(sent.contains(wanted), "\(refusal)")
      let access = try sandbox.run("\(form.environment) epact access")
      expectNoSecret(Data((access.output + access.errors).utf8), in: "the list of grants")
      for file in try leftBehind(in: sandbox) { expectNoSecret(file.bytes, in: file.name) }
    }
  }

  @Test func `Nor is it told by what is wrong with the configuration`() throws {
    let lines = [
      "password = \"\(Self.marker)", "password = '''\(Self.marker)", "password = \(Self.marker)",
      "password = \"\(Self.marker)\" oops", "password = [\"\(Self.marker)\"]",
      "pasword = \"\(Self.marker)\"", "password-command = \"\(Self.marker)\"",
      "password-env = \"\(Self.marker)\"\npassword = \"\(Self.marker)\"",
      "url = \"https://ada:\(Self.marker)@dav.example.org/\"",
      "pin = \"\(Self.marker)\"", "token-command = [\"/nowhere\", \"\(Self.marker)\"]",
    ]
    for line in lines {
      let sandbox = try Sandbox()
      let folder = sandbox.folder.appending(path: "config/epact")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let text = "[remote.work]\nkind = \"caldav\"\n\(line)\nusername = \"ada\"\n"
      let file = folder.appending(path: "config.toml")
      try Data(text.utf8).write(to: file)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
      let result = try sandbox.run("epact sync")
      #expect(result.status == 78, "\(line)")
      expectNoSecret(Data((result.output + result.errors).utf8), in: "the errors about \(line)")
    }
  }

  @Test func `The address of a feed is not told either`() throws {
    let server = try LoopbackServer { _ in [.answer("502 Bad Gateway", body: "<html>")] }
    defer { server.stop() }
    let sandbox = try Sandbox()
    let form = Form(key: "feed", lines: "")
    try prepare(form, url: "http://127.0.0.1:\(server.port)/x/", in: sandbox)
    let file = sandbox.folder.appending(path: "config/epact/config.toml")
    let text = """
      [calendar.home]
      path = "~/home"
      [remote.feed]
      kind = "webcal"
      url = "http://127.0.0.1:\(server.port)/private-Mark3rS3cret/basic.ics"
      [[sync]]
      name = "feed"
      calendar = "home"
      remote = "feed"
      """
    try Data(text.utf8).write(to: file)
    let commands = [
      "epact access feed --grant full --purpose 'Follows the feed for tests'",
      "epact sync -v -v -v", "epact sync --json", "epact access",
    ]
    for command in commands {
      let result = try sandbox.run(command)
      #expect(!(result.output + result.errors).contains("Mark3r"), "\(command): \(result.errors)")
    }
    #expect(server.requests.contains { $0.target.contains("Mark3r") })
    for file in try leftBehind(in: sandbox) {
      #expect(file.bytes.range(of: Data("Mark3r".utf8)) == nil, "\(file.name)")
    }
  }
}
