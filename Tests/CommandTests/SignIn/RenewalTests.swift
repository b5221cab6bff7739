// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The renewal of tokens by syncs: rotation, lost answers, clocks, and two processes at once.
@Suite(.timeLimit(.minutes(60))) struct RenewalTests {
  @Test("A refused token is renewed, and the refresh token that replaces the old one is stored")
  func rotation() async throws {
    let scene = try await SignInScene(hasCalendars: true)
    try scene.signIn()
    for round in 1...3 {
      try await scene.server.end()
      let sync = try scene.run("epact sync -v")
      #expect(sync.status == 0, "\(sync.errors)")
      #expect(try await scene.server.requests(for: "refresh_token") == round)
      try await scene.expectNoSecret(in: sync)
    }
    #expect(try await scene.server.violations() == "[]")
  }

  @Test("A lost answer is asked for again, if the server accepts the old refresh token for a while")
  func lostAnswer() async throws {
    let scene = try await SignInScene(hasCalendars: true)
    try scene.signIn()
    try await scene.server.set(["rotation-grace": 60])
    try await scene.server.end()
    try await scene.server.fail([["path": "/token", "do": ["lose": true]]])
    let sync = try scene.run("epact sync")
    #expect(sync.status == 0, "\(sync.errors)")
    #expect(try await scene.server.requests(for: "refresh_token") == 2)
  }

  @Test("If the server does not, the user signs in again, and no further request is sent")
  func lostForGood() async throws {
    let scene = try await SignInScene(hasCalendars: true)
    try scene.signIn()
    try await scene.server.end()
    try await scene.server.fail([["path": "/token", "do": ["lose": true]]])
    let first = try scene.run("epact sync")
    #expect(first.status == 77, "\(first.errors)")
    #expect(first.errors.contains("To sign in: epact login work"), "\(first.errors)")
    let asked = try await scene.server.requests(for: "refresh_token")
    #expect(try scene.run("epact sync").status == 77)
    #expect(try await scene.server.requests(for: "refresh_token") == asked)
    let status = try scene.run("epact status")
    #expect(status.status == 77)
    #expect(status.output.contains("sign-in: not signed in any more: "), "\(status.output)")
    let doctor = try scene.run("epact doctor --offline")
    #expect(doctor.output.contains("credentials work: not signed in any more"))
    try scene.signIn()
    #expect(try scene.run("epact sync").status == 0)
    try await scene.expectNoSecret(in: first, status, doctor)
  }

  @Test("Answers that stay lost are no reason to sign in again")
  func outage() async throws {
    let scene = try await SignInScene(hasCalendars: true)
    try scene.signIn()
    try await scene.server.end()
    try await scene.server.set(["rotation": false])
    for fault in [["drop": true] as [String: any Sendable], ["status": 500], ["status": 502]] {
      try await scene.server.fail([["path": "/token", "count": 9, "do": fault]])
      let sync = try scene.run("epact sync")
      #expect(sync.status == 75, "\(sync.errors)")
      #expect(!sync.errors.contains("epact login"))
    }
    try await scene.server.fail([])
    #expect(try scene.run("epact sync").status == 0)
  }

  @Test("Revoked tokens and those of an unverified project end with one sentence")
  func revoked() async throws {
    let scene = try await SignInScene(hasCalendars: true)
    try scene.signIn()
    try await scene.server.end(everything: true)
    let revoked = try scene.run("epact sync -v")
    #expect(revoked.status == 77)
    #expect(revoked.errors.contains("To sign in: epact login work"), "\(revoked.errors)")
    try await scene.server.set(["refresh-lifetime": 604_800])
    try scene.signIn()
    #expect(try scene.run("epact sync").status == 0)
    try await scene.server.advance(seconds: 8 * 86_400)
    let late = try scene.run("epact sync -v")
    #expect(late.status == 77)
    #expect(late.errors.contains("To sign in: epact login work"), "\(late.errors)")
    try await scene.expectNoSecret(in: revoked, late)
  }

  @Test("Without a refresh token the sign-in ends with the access token")
  func noRefreshToken() async throws {
    let scene = try await SignInScene(hasCalendars: true)
    try await scene.server.set(["refresh-token": "never"])
    let login = try scene.run("epact login work")
    #expect(login.status == 0)
    #expect(login.errors.contains("because the server issued no refresh token"))
    #expect(try scene.run("epact sync").status == 0)
    let doctor = try scene.run("epact doctor --offline")
    #expect(doctor.output.contains("warning  credentials work: signed in until "))
    try await scene.server.end()
    let sync = try scene.run("epact sync")
    #expect(sync.status == 77)
    #expect(sync.errors.contains("the server issued no refresh token"), "\(sync.errors)")
  }

  @Test("A clock that is an hour off changes nothing", arguments: [-3600, 3600])
  func skew(seconds: Int) async throws {
    let scene = try await SignInScene(hasCalendars: true)
    try await scene.server.set(["clock-offset": seconds])
    try scene.signIn()
    #expect(try scene.run("epact sync").status == 0)
    #expect(try await scene.server.requests(for: "refresh_token") == 0)
    // The clock of this machine is set: the tokens seem to be of another hour.
    let text = try String(contentsOf: scene.tokens, encoding: .utf8)
    let shifted = text.replacing(/"(obtained|expires)-at":(\d+)/) { match in
      "\"\(match.output.1)-at\":\((Int(match.output.2) ?? 0) + seconds)"
    }
    try Data(shifted.utf8).write(to: scene.tokens)
    #expect(try scene.run("epact sync").status == 0)
    #expect(try await scene.server.requests(for: "refresh_token") == 1)
    #expect(try await scene.server.violations() == "[]")
  }

  @Test("Of two processes that need a new token, one asks for it")
  func twoProcesses() async throws {
    let scene = try await SignInScene(hasCalendars: true)
    try scene.signIn()
    #expect(try scene.run("epact sync").status == 0)
    try await scene.server.end()
    try await scene.server.fail([["path": "/token", "do": ["delay": 1]]])
    let both = try scene.sandbox.run(
      """
      epact discover work >/dev/null 2>&1 & epact doctor > one & first=$!
      epact sync > two 2>&1; second=$?; wait $first; cat one two; exit $second
      """)
    #expect(both.status == 0, "\(both.output)")
    #expect(both.output.contains("reachability work: the calendar is there"), "\(both.output)")
    #expect(try await scene.server.requests(for: "refresh_token") == 1)
    #expect(try await scene.server.violations() == "[]")
  }

  @Test("More access needs a new sign-in")
  func moreAccess() async throws {
    let scene = try await SignInScene("scopes = [\"cal.read\"]", hasCalendars: true)
    try scene.signIn()
    #expect(try scene.run("epact sync").status == 0)
    let file = scene.sandbox.folder.appending(path: "config/epact/config.toml")
    let text = try String(contentsOf: file, encoding: .utf8)
    try Data(text.replacing("\"cal.read\"", with: "\"cal.read\", \"cal.write\"").utf8)
      .write(to: file)
    let sync = try scene.run("epact sync")
    #expect(sync.status == 77)
    #expect(
      sync.errors.contains("\"work\" has to sign in again for more access, with cal.write"),
      "\(sync.errors)")
    // Another client may not use the tokens, either.
    try Data(text.replacing("client-id = \"epact\"", with: "client-id = \"other\"").utf8)
      .write(to: file)
    let other = try scene.run("epact sync")
    #expect(other.errors.contains("with another server, client-id or address"))
  }

  @Test("Tokens that others can read are not used")
  func openFile() async throws {
    let scene = try await SignInScene(hasCalendars: true)
    try scene.signIn()
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o644], ofItemAtPath: scene.tokens.path)
    let sync = try scene.run("epact sync")
    #expect(sync.status == 78)
    #expect(sync.errors.contains("are not private to you"), "\(sync.errors)")
  }

  /// Moves the tokens into a folder as systemd makes it, and has them read there.
  private func moveTokens(in scene: SignInScene) throws {
    let file = scene.sandbox.folder.appending(path: "config/epact/config.toml")
    let text = try String(contentsOf: file, encoding: .utf8)
    try Data(text.replacing("sign-in", with: "token-store = \"systemd:work\"\nsign-in").utf8)
      .write(to: file)
    let setup = try scene.sandbox.run(
      "mkdir credentials && mv state/epact/sign-ins/work.json credentials/work")
    #expect(setup.status == 0)
  }

  @Test("A systemd credential is read, and its tokens are renewed for each process alone")
  func credential() async throws {
    let scene = try await SignInScene(hasCalendars: true)
    try await scene.server.set(["rotation": false])
    try scene.signIn()
    try moveTokens(in: scene)
    try await scene.server.end()
    for round in 1...2 {
      let sync = try scene.run("CREDENTIALS_DIRECTORY=$DIR/credentials epact sync")
      #expect(sync.status == 0, "\(sync.errors)")
      #expect(try await scene.server.requests(for: "refresh_token") == round)
    }
    #expect(try scene.run("epact sync").errors.contains("there is no $CREDENTIALS_DIRECTORY"))
  }

  @Test("A systemd credential cannot take a new refresh token, which is said")
  func rotatedCredential() async throws {
    let scene = try await SignInScene(hasCalendars: true)
    try scene.signIn()
    try moveTokens(in: scene)
    try await scene.server.end()
    let sync = try scene.run("CREDENTIALS_DIRECTORY=$DIR/credentials epact sync")
    #expect(sync.status == 0, "\(sync.errors)")
    #expect(sync.errors.contains("a systemd credential cannot take the new one"))
    let next = try scene.run("CREDENTIALS_DIRECTORY=$DIR/credentials epact sync")
    #expect(next.status == 77)
  }

  @Test("The keyring keeps the tokens, and they are in no file")
  func keyring() async throws {
    let scene = try await SignInScene("token-store = \"secret-tool\"", hasCalendars: true)
    try await scene.server.end()
    let result = try scene.sandbox.runWithKeyring(
      """
      BROWSER='\(AuthorizationServer.browser())' epact login work || exit 1
      epact sync && epact status && epact logout work && epact status
      """)
    #expect(result.status == 77, "\(result.errors)")
    #expect(result.output.contains("sign-in: signed in\n"), "\(result.output)")
    #expect(result.output.contains("signed out, and the tokens are revoked"))
    #expect(result.output.contains("sign-in: not signed in\n"))
    #expect(!FileManager.default.fileExists(atPath: scene.tokens.path))
    try await scene.expectNoSecret(in: result)
  }
}
