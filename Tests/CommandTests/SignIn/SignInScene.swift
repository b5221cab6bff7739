// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A CalDAV server that asks for a token, the authorization server that issues it, and a sandbox whose
/// configuration signs in.
final class SignInScene {
  let server: AuthorizationServer
  let sandbox: Sandbox
  private let calendars: ServerProcess?

  /// Starts the authorization server of a vendor, writes the configuration and grants full access.
  ///
  /// - Parameter kind: The kind of the remote.
  /// - Throws: The failure of the server.
  convenience init(kind: String) async throws {
    let server = try await AuthorizationServer()
    let remote = """
      kind = "\(kind)"
      url = "\(server.calendars)"
      authorization-server = "\(server.address)"
      client-id = "epact"
      """
    try await self.init(server, remote: remote, access: "full")
  }

  /// Starts the servers, writes the configuration and grants access.
  ///
  /// - Parameters:
  ///   - lines: Further lines of the remote.
  ///   - client: The identifier of the client.
  ///   - access: The granted tier; nil for no decision.
  ///   - syncLines: Further lines of the sync.
  ///   - hasCalendars: Whether a CalDAV server is behind the tokens.
  /// - Throws: The failure of a server.
  convenience init(
    _ lines: String = "", client: String = "epact", access: String? = "full",
    sync syncLines: String = "",
    hasCalendars: Bool = false
  ) async throws {
    let server = try await AuthorizationServer()
    let remote = """
      kind = "caldav"
      url = "\(server.calendars)alice/cal/"
      sign-in = "oauth"
      client-id = "\(client)"
      \(lines)
      """
    try await self.init(
      server, remote: remote, access: access, sync: syncLines,
      calendars: hasCalendars ? try await ServerProcess(.radicale) : nil)
  }

  private init(
    _ server: AuthorizationServer, remote: String, access: String?, sync syncLines: String = "",
    calendars: ServerProcess? = nil
  ) async throws {
    self.server = server
    self.calendars = calendars
    sandbox = try Sandbox()
    try await server.set(["scopes-supported": ["cal.read", "cal.write"]])
    if let calendars { try await server.set(["upstream": calendars.root]) }
    let folder = sandbox.folder.appending(path: "config/epact")
    for place in [folder, sandbox.folder.appending(path: "home")] {
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    }
    let text = """
      [calendar.home]
      path = "~/home"
      [remote.work]
      \(remote)
      [[sync]]
      name = "work"
      calendar = "home"
      remote = "work"
      \(syncLines)
      """
    let file = folder.appending(path: "config.toml")
    try Data(text.utf8).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    guard let access else { return }
    let granted = try sandbox.run(
      "epact access work --grant \(access) --purpose 'Keeps both in step for tests'")
    #expect(granted.status == 0, "\(granted.errors)")
  }

  /// Runs a command with a browser whose person does what the options say.
  func run(_ command: String, browser: String = AuthorizationServer.browser()) throws
    -> Sandbox.Result
  {
    try sandbox.run("BROWSER='\(browser)' \(command)")
  }

  /// Signs in, and expects that it works.
  func signIn(_ options: String = "") throws {
    let result = try run("epact login work \(options)")
    #expect(result.status == 0, "\(result.errors)")
  }

  /// The file with the tokens.
  var tokens: URL { sandbox.folder.appending(path: "state/epact/sign-ins/work.json") }

  /// Adds an event to the local calendar.
  func addEvent(_ uid: String) throws {
    let text = """
      BEGIN:VCALENDAR\r
      VERSION:2.0\r
      PRODID:-//test//\r
      BEGIN:VEVENT\r
      UID:\(uid)\r
      DTSTAMP:20260101T000000Z\r
      DTSTART:20260102T100000Z\r
      SUMMARY:\(uid)\r
      END:VEVENT\r
      END:VCALENDAR\r

      """
    try Data(text.utf8).write(to: sandbox.folder.appending(path: "home/\(uid).ics"))
  }

  /// Expects that no secret that was ever issued or received is in an output, in a file of the program
  /// or of the calendars, except for the file with the tokens.
  func expectNoSecret(in results: Sandbox.Result...) async throws {
    let secrets = try await server.secrets()
    #expect(!secrets.isEmpty)
    var places: [(String, Data)] = results.flatMap {
      [("the output", Data($0.output.utf8)), ("the errors", Data($0.errors.utf8))]
    }
    let files = FileManager.default.enumerator(
      at: sandbox.folder, includingPropertiesForKeys: nil)
    while let file = files?.nextObject() as? URL {
      guard file.path != tokens.path, let bytes = try? Data(contentsOf: file) else { continue }
      places.append((file.lastPathComponent, bytes))
    }
    for (place, bytes) in places {
      for secret in secrets where secret.count > 3 {
        let spellings = [secret, Data(secret.utf8).base64EncodedString()]
        for spelling in spellings where bytes.range(of: Data(spelling.utf8)) != nil {
          Issue.record("a secret is in \(place)")
        }
      }
    }
  }
}
