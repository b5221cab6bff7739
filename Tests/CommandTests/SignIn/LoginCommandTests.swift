// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// `epact login` and `epact logout` against an authorization server that is not ours.
@Suite(.timeLimit(.minutes(60))) struct LoginCommandTests {
  @Test("A sign-in in the browser, and a sync with a real server behind the token")
  func endToEnd() async throws {
    let scene = try await SignInScene(hasCalendars: true)
    try scene.addEvent("first")
    let login = try scene.run("epact login -v work")
    #expect(login.status == 0, "\(login.errors)")
    #expect(login.output == "work: signed in at \(scene.server.address)\n")
    #expect(login.errors.contains("What for: Keeps both in step for tests"))
    #expect(login.errors.contains("  cal.read\n  cal.write\n"))
    let sync = try scene.run("epact sync -v -v -v")
    #expect(sync.status == 0, "\(sync.errors)")
    let status = try scene.run("epact status")
    #expect(status.output.contains("sign-in: signed in\n"), "\(status.output)")
    let mode = try FileManager.default.attributesOfItem(atPath: scene.tokens.path)
    #expect(mode[.posixPermissions] as? Int == 0o600)
    let history = try scene.run("epact history; epact access --log")
    try await scene.expectNoSecret(in: login, sync, status, history)
    #expect(try await scene.server.violations() == "[]")
  }

  @Test("No program gets a secret as an argument")
  func arguments() async throws {
    let scene = try await SignInScene(hasCalendars: true)
    let watch = """
      (while :; do cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' >> seen; done) & watch=$!
      BROWSER='\(AuthorizationServer.browser())' epact login work; code=$?
      epact sync; epact logout work; kill $watch; exit $code
      """
    let result = try scene.sandbox.run(watch)
    #expect(result.status == 0, "\(result.errors)")
    let seen = try Data(contentsOf: scene.sandbox.folder.appending(path: "seen"))
    #expect(seen.range(of: Data("epact login work".utf8)) != nil)
    // The browser's own arguments have the state and the challenge, and neither code nor verifier.
    try await scene.expectNoSecret(in: result)
  }

  @Test("Without access there is no sign-in, and no server is asked")
  func withoutAccess() async throws {
    for access in [nil, "none"] {
      let scene = try await SignInScene(access: access)
      let result = try scene.run("epact login work")
      #expect(result.status == 77)
      #expect(result.errors.contains("epact access work --grant full"), "\(result.errors)")
      #expect(try await scene.server.requests(for: "authorization_code") == 0)
    }
  }

  @Test("Write-only access asks nothing that reads, and needs the address of the server")
  func writeOnly() async throws {
    let scene = try await SignInScene(access: "write-only", sync: "access = \"write-only\"")
    let result = try scene.run("epact login work")
    #expect(result.status == 78)
    #expect(result.errors.contains("authorization-server = \"URL\""), "\(result.errors)")
  }

  struct Refusal: CustomTestStringConvertible {
    let name: String
    var settings: [String: any Sendable] = [:]
    var browser: [String] = []
    var lines = ""
    var options = "--wait 20"
    let status: Int32
    let words: String
    var testDescription: String { name }
  }

  static let refusals = [
    Refusal(
      name: "refused", browser: ["--refuse"], status: 77, words: "the access was refused"),
    Refusal(
      name: "a browser that never returns", browser: ["--never"], options: "--wait 1", status: 77,
      words: "no browser returned from the sign-in in time"),
    Refusal(
      name: "a wrong state", browser: ["--wrong-state"], options: "--wait 2", status: 77,
      words: "no browser returned from the sign-in in time"),
    Refusal(
      name: "a state that the server altered", settings: ["state": "altered"],
      options: "--wait 2", status: 77, words: "no browser returned from the sign-in in time"),
    Refusal(
      name: "another issuer", settings: ["iss": "wrong"], status: 2,
      words: "the answer is of another server"),
    Refusal(
      name: "no issuer", settings: ["iss": "missing"], status: 2,
      words: "the answer does not name its issuer (RFC 9207)"),
    Refusal(
      name: "smaller scope", settings: ["granted-scope": ["cal.read"]], status: 77,
      words: "the sign-in of \"work\" lacks cal.write"),
    Refusal(
      name: "an administrator", settings: ["admin-consent-required": "redirect"], status: 77,
      words: "an administrator of the organization has to allow this program first"),
    Refusal(
      name: "no consent", settings: ["admin-consent-required": "token"], status: 77,
      words: "the user or an administrator has to allow the access"),
    Refusal(
      name: "a challenge that is not hashed", settings: ["pkce-methods": ["plain"]], status: 78,
      words: "does not support the challenge S256 (RFC 7636)"),
    Refusal(
      name: "metadata of another resource", settings: ["resource-metadata": "wrong"], status: 2,
      words: "the metadata is that of another resource"),
    Refusal(
      name: "no metadata", settings: ["resource-metadata": "absent", "challenge": "bare"],
      status: 78, words: "the server does not state where its users sign in (RFC 9728)"),
    Refusal(
      name: "metadata of another server",
      settings: ["metadata-override": ["issuer": "https://other.example"]], status: 2,
      words: "the metadata is that of another server"),
    Refusal(
      name: "a credential that is only read", lines: "token-store = \"systemd:work\"", status: 78,
      words: "are in a systemd credential, which is only read"),
  ]

  @Test("A sign-in that does not succeed says why, and stores nothing", arguments: refusals)
  func refused(_ example: Refusal) async throws {
    let scene = try await SignInScene(example.lines)
    if !example.settings.isEmpty { try await scene.server.set(example.settings) }
    let browser = ([AuthorizationServer.browser()] + example.browser).joined(separator: " ")
    let result = try scene.run("epact login -v work \(example.options)", browser: browser)
    #expect(result.status == example.status, "\(result.errors)")
    #expect(result.errors.contains(example.words), "\(result.errors)")
    #expect(!FileManager.default.fileExists(atPath: scene.tokens.path))
    let after = try scene.run("epact sync -v")
    #expect(after.status == (example.status == 78 && !example.lines.isEmpty ? 78 : 77))
    #expect(
      after.errors.contains("epact login work") || !example.lines.isEmpty, "\(after.errors)")
    if try await !scene.server.secrets().isEmpty {
      try await scene.expectNoSecret(in: result, after)
    }
  }

  @Test("The address at which a browser ended can be pasted")
  func paste() async throws {
    let scene = try await SignInScene(hasCalendars: true)
    let script = """
      mkfifo answer; epact login work --paste < answer 2> asked & login=$!
      exec 3> answer
      while ! grep -q '^  http' asked; do sleep 0.1; done
      printf 'http://127.0.0.1/?code=x&state=y\\n' >&3
      while ! grep -q 'Copy the whole' asked; do sleep 0.1; done
      \(AuthorizationServer.browser("--paste")) "$(grep -o 'http://127.0.0.1:.*authorize.*' asked)" |
        sed -n 's/^address: //p' >&3
      wait $login
      """
    let result = try scene.sandbox.run(script)
    #expect(result.status == 0, "\(result.errors)")
    #expect(try scene.run("epact sync").status == 0)
    try await scene.expectNoSecret(in: result)
  }

  @Test("A code is entered on another device, and the server is not asked too often")
  func device() async throws {
    let scene = try await SignInScene(hasCalendars: true)
    try await scene.server.set(["interval": 1, "slow-down": 1, "device-decides-after": 2])
    let result = try scene.run("epact login work --device")
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("Enter this code there: "))
    #expect(try scene.run("epact sync").status == 0)
    #expect(try await scene.server.violations() == "[]")
    try await scene.expectNoSecret(in: result)
    try await scene.server.set(["decide": "refuse", "device-decides-after": 1])
    let refused = try scene.run("epact login work --device")
    #expect(refused.status == 77)
    #expect(refused.errors.contains("the access was refused"))
    try await scene.server.set(["device-flow": "absent"])
    let missing = try scene.run("epact login work --device")
    #expect(missing.errors.contains("has no sign-in on another device (RFC 8628)"))
  }

  @Test("A client with a secret signs in, and a wrong secret is not accepted")
  func secret() async throws {
    let scene = try await SignInScene("client-secret-env = \"CLIENT\"", client: "desktop")
    let wrong = try scene.run("CLIENT=wrong-one epact login work")
    #expect(wrong.status == 78)
    #expect(wrong.errors.contains("the server does not accept the client-id"), "\(wrong.errors)")
    let right = try scene.run("CLIENT=not-a-secret epact login -v work")
    #expect(right.status == 0, "\(right.errors)")
    try await scene.expectNoSecret(in: wrong, right)
  }

  @Test("Signing out revokes the tokens; a server without revocation is named")
  func logout() async throws {
    let scene = try await SignInScene(hasCalendars: true)
    try scene.signIn()
    let first = try scene.run("epact logout -v work")
    #expect(first.status == 0, "\(first.errors)")
    #expect(first.output == "work: signed out, and the tokens are revoked\n")
    #expect(!FileManager.default.fileExists(atPath: scene.tokens.path))
    #expect(try scene.run("epact sync").status == 77)
    #expect(try scene.run("epact logout work").output == "work: not signed in\n")
    try await scene.server.set(["revocation": "absent"])
    try scene.signIn()
    let second = try scene.run("epact logout work")
    #expect(second.status == 0)
    #expect(second.errors.contains("revokes no tokens at the request of a program"))
    try await scene.server.set(["revocation": "rfc7009"])
    try scene.signIn()
    try await scene.server.fail([["path": "/revoke", "count": 9, "do": ["status": 500]]])
    let third = try scene.run("epact logout work")
    #expect(third.status == 75)
    #expect(third.errors.contains("may still be valid there"))
    try await scene.expectNoSecret(in: first, second, third)
  }
}
