// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import CalendarSync
import Epact
import Testing

/// The settings of sign-ins, and the scopes that each access needs.
struct SignInSettingsTests {
  private static let google = "https://www.googleapis.com/auth/"
  private static let address = "https://dav.example.org/"

  struct Case: CustomTestStringConvertible {
    let provider: SignInSettings.Provider
    let use: SignInSettings.Use
    let scopes: [String]
    var testDescription: String { "\(use) \(scopes)" }
  }

  static let cases = [
    Case(
      provider: .google, use: .init(.full, isReading: true),
      scopes: [google + "calendar.events.readonly"]),
    Case(
      provider: .google, use: .init(.writeOnly), scopes: [google + "calendar.events.owned"]),
    Case(provider: .google, use: .init(.full), scopes: [google + "calendar.events"]),
    Case(
      provider: .google, use: .init(.full, isReading: true, isAccount: true),
      scopes: [
        google + "calendar.events.readonly", google + "calendar.calendarlist.readonly",
      ]),
    Case(
      provider: .google, use: .init(.full, isAccount: true),
      scopes: [
        google + "calendar.events", google + "calendar.calendarlist", google + "calendar.calendars",
      ]),
    Case(
      provider: .microsoft(tenant: "common"), use: .init(.full, isReading: true),
      scopes: ["Calendars.Read", "offline_access"]),
    Case(
      provider: .microsoft(tenant: "common"), use: .init(.writeOnly),
      scopes: ["Calendars.ReadWrite", "offline_access"]),
  ]

  @Test("The scopes are the smallest for the access", arguments: cases)
  func scopes(_ example: Case) {
    #expect(
      SignInSettings(example.provider, clientID: "c").scopes(for: example.use) == example.scopes)
  }

  @Test("Google's CalDAV has one scope, and others what the configuration says")
  func calDAV() throws {
    let google = try RemoteURL(parsing: "https://apidata.googleusercontent.com/caldav/v2/a/")
    let settings = SignInSettings(.discovered(resource: google), clientID: "c")
    #expect(settings.service == .google)
    #expect(settings.scopes(for: .init(.full)) == [Self.google + "calendar"])
    let other = try RemoteURL(parsing: Self.address)
    var own = SignInSettings(.discovered(resource: other), clientID: "c")
    #expect(own.service == nil)
    #expect(own.scopes(for: .init(.full)) == [])
    own.scopes = ["a"]
    #expect(own.scopes(for: .init(.writeOnly)) == ["a"])
  }

  @Test(
    "Wider scopes include others, and requests to the server are no scopes",
    arguments: [
      (["Calendars.Read", "offline_access"], ["https://graph.microsoft.com/Calendars.Read"], []),
      (["Calendars.Read"], ["calendars.readwrite"], []),
      (["Calendars.ReadWrite"], ["Calendars.Read"], ["Calendars.ReadWrite"]),
      ([google + "calendar.events.readonly"], [google + "calendar.events"], []),
      ([google + "calendar.events"], [google + "calendar"], []),
      (
        [google + "calendar.events"], [google + "calendar.events.owned"],
        [google + "calendar.events"]
      ),
      (["a", "b"], ["B", "a"], ["b"]),
    ] as [([String], [String], [String])])
  func missing(needed: [String], granted: [String], missing: [String]) {
    #expect(ScopeNames.missing(needed, in: granted) == missing)
  }

  @Test("Each key of a sign-in is read")
  func keys() throws {
    let configuration = try ConfigurationTests.read(
      """
      [account.home]
      kind = "caldav"
      url = "\(Self.address)"
      sign-in = "oauth"
      client-id = "me"
      client-secret-file = "secret"
      authorization-server = "https://login.example.org/tenant"
      scopes = ["a", "b"]
      token-store = "systemd:home"
      """)
    let settings = try #require(configuration.accounts["home"]?.signIn)
    var expected = SignInSettings(
      .discovered(resource: try RemoteURL(parsing: Self.address)), clientID: "me")
    expected.clientSecret = .file("/etc/epact/secret")
    expected.authorizationServer = "https://login.example.org/tenant"
    expected.scopes = ["a", "b"]
    expected.store = .credential("home")
    #expect(settings == expected)
  }

  @Test("Keys of a sign-in without one, and secrets in an open file, are errors")
  func errors() throws {
    let error = #expect(throws: ConfigurationError.self) {
      try ConfigurationTests.read(
        """
        [remote.a]
        kind = "caldav"
        url = "\(Self.address)"
        client-id = "me"
        [remote.b]
        kind = "caldav"
        url = "\(Self.address)"
        sign-in = "magic"
        [remote.c]
        kind = "caldav"
        url = "\(Self.address)"
        sign-in = "oauth"
        client-id = "me"
        client-secret = "hush"
        authorization-server = "http://login.example.org/"
        token-store = "systemd:../x"
        """, isPrivate: false)
    }
    let lines = error?.lines.joined(separator: "\n") ?? ""
    for words in [
      "\"client-id\" belongs to sign-in = \"oauth\"",
      "expected sign-in = \"oauth\", found \"magic\"",
      "a client secret is allowed only in a file that is private to you",
      "\"authorization-server\" cannot be used: http is for this machine only; use https",
      "expected token-store = \"file\", \"secret-tool\" or \"systemd:NAME\"",
    ] {
      #expect(lines.contains(words), "\(lines)")
    }
    #expect(!lines.contains("hush"))
  }
}
