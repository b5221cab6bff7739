// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import CalendarSync
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60))) struct TLSTests {
  /// Opens the calendar of a server whose certificate only the file vouches for.
  func open(
    _ address: String, caFile: String?, pins: [PublicKeyPin] = [],
    client: NetworkIdentity.Client? = nil
  ) async throws {
    let remote = CalDAVRemote(
      address: try RemoteURL(parsing: address),
      credentials: Credentials(user: ServerProcess.user, password: ServerProcess.password),
      transport: try NetworkTransport(
        userAgent: "epact-tests/1",
        identity: NetworkIdentity(caFile: caFile, pins: pins, client: client)))
    _ = try await remote.openCalendar().list()
  }

  @Test func `A certificate that nobody vouches for is refused, before anything is sent`()
    async throws
  {
    let server = try await ServerProcess(.radicale, isSecure: true)
    let error = await #expect(throws: RemoteError.self) {
      try await open(server.calendar, caFile: nil)
    }
    #expect(error?.code == .untrusted)
    #expect(!server.log.contains("PROPFIND"))
  }

  @Test func `A file vouches for a certificate`() async throws {
    let server = try await ServerProcess(.radicale, isSecure: true)
    try await open(server.calendar, caFile: ServerProcess.certificate)
  }

  @Test func `A file that is not there is an error`() async throws {
    let server = try await ServerProcess(.radicale, isSecure: true)
    let error = await #expect(throws: RemoteError.self) {
      try await open(server.calendar, caFile: "/nowhere/ca.pem")
    }
    #expect(error?.code == .untrusted)
  }

  /// The digest of the public key of the certificate, and one of nothing.
  static let pin = "sha256//UvvL1Iws9sSS0zohm/HEhjAqjyEeq8kZXk82g+GKW4Q="
  static let otherPin = "sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

  @Test func `A pinned key is let through, and another one is not asked for anything`()
    async throws
  {
    let server = try await ServerProcess(.radicale, isSecure: true)
    let pin = try #require(PublicKeyPin(Self.pin))
    let other = try #require(PublicKeyPin(Self.otherPin))
    let error = await #expect(throws: RemoteError.self) {
      try await open(server.calendar, caFile: ServerProcess.certificate, pins: [other])
    }
    #expect(error?.code == .untrusted)
    #expect(!server.log.contains("PROPFIND"))
    try await open(server.calendar, caFile: ServerProcess.certificate, pins: [other, pin])
    // A pin is no reason to trust a certificate that nobody vouches for.
    await #expect(throws: RemoteError.self) {
      try await open(server.calendar, caFile: nil, pins: [pin])
    }
  }

  @Test func `A certificate is shown to a server that asks for one`() async throws {
    let server = try await ServerProcess(.radicale, isSecure: true, asksWho: true)
    await #expect(throws: RemoteError.self) {
      try await open(server.calendar, caFile: ServerProcess.certificate)
    }
    try await open(
      server.calendar, caFile: ServerProcess.certificate,
      client: .init(certificateFile: ServerProcess.certificate, keyFile: ServerProcess.key))
  }
}
