// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import CalendarSync
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct TLSTests {
  /// Opens the calendar of a server whose certificate only the file vouches for.
  func open(_ address: String, caFile: String?) async throws {
    let remote = CalDAVRemote(
      address: try RemoteURL(parsing: address),
      credentials: Credentials(user: ServerProcess.user, password: ServerProcess.password),
      transport: try NetworkTransport(
        userAgent: "epact-tests/1", identity: NetworkIdentity(caFile: caFile)))
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
}
