// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// `epact login`, `sync` and `logout` at a vendor, from the browser to the event there.
///
/// Authlib issues the tokens, and a proxy in front of the vendor's double accepts no others.
@Suite("Signing in to vendors", .timeLimit(.minutes(60)))
struct VendorSignInTests {
  static let kinds: [VendorDouble.Kind] = [.google, .graph]

  /// The smallest scopes of a sync in both directions, as the vendor documents them.
  private static func scopes(_ kind: VendorDouble.Kind) -> [String] {
    switch kind {
    case .google: ["https://www.googleapis.com/auth/calendar.events"]
    case .graph: ["Calendars.ReadWrite", "offline_access"]
    }
  }

  /// A server for tokens, the double behind it, and a configuration for them.
  private struct Scene {
    let double: VendorDouble
    let account = VendorDouble.makeAccount()
    let signIn: SignInScene

    init(_ kind: VendorDouble.Kind) async throws {
      double = try await VendorDouble.shared(kind)
      signIn = try await SignInScene(kind: kind.rawValue)
      let path = kind == .google ? "calendar/v3" : "v1.0"
      try await signIn.server.set([
        "scopes-supported": VendorSignInTests.scopes(kind),
        "upstream": "http://127.0.0.1:\(double.port)/\(path)", "upstream-token": account,
      ])
    }

    /// The titles of the events there.
    func titles(_ kind: VendorDouble.Kind) async throws -> [String] {
      struct List: Decodable {
        struct Event: Decodable {
          var summary: String?
          var subject: String?
        }
        var items: [Event]?
        var value: [Event]?
      }
      let path =
        kind == .google ? "/calendar/v3/calendars/primary/events" : "/v1.0/me/calendar/events"
      let list = try JSONDecoder().decode(
        List.self, from: try await double.person(account, "GET", path))
      return ((list.items ?? []) + (list.value ?? [])).compactMap { $0.summary ?? $0.subject }
        .sorted()
    }
  }

  @Test("From the browser to the event there, with the smallest scopes", arguments: kinds)
  func endToEnd(_ kind: VendorDouble.Kind) async throws {
    let scene = try await Scene(kind)
    let signIn = scene.signIn
    try signIn.addEvent("first")
    let before = try signIn.run("epact sync")
    #expect(before.status == 77 && before.errors.contains("epact login work"), "\(before.errors)")
    let login = try signIn.run("epact login -v work")
    #expect(login.status == 0, "\(login.errors)")
    for scope in Self.scopes(kind) {
      #expect(login.errors.contains("  \(scope)\n"), "\(login.errors)")
    }
    let first = try signIn.run("epact sync -v -v -v")
    #expect(first.status == 0, "\(first.errors)")
    #expect(try await scene.titles(kind) == ["first"])
    // The access token ends; the next run renews it, and needs no browser.
    try await signIn.server.end()
    try signIn.addEvent("second")
    let second = try signIn.run("epact sync -v -v -v")
    #expect(second.status == 0, "\(second.errors)")
    #expect(try await scene.titles(kind) == ["first", "second"])
    #expect(try await signIn.server.requests(for: "refresh_token") == 1)
    let logout = try signIn.run("epact logout work")
    #expect(logout.status == 0, "\(logout.errors)")
    let after = try signIn.run("epact sync")
    #expect(after.status == 77, "\(after.errors)")
    try await signIn.expectNoSecret(in: before, login, first, second, logout, after)
    #expect(try await signIn.server.violations() == "[]")
    #expect(try await scene.double.violations(scene.account).filter { !$0.isWhitespace } == "[]")
  }
}
