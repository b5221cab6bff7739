// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import CalendarSync
import TestSupport
import Testing

/// The account of a real server as a side of a sync.
@Suite(.timeLimit(.minutes(60)), .serialized) struct AccountConformanceTests {
  @Test(arguments: ServerProcess.Kind.allCases)
  func `A server keeps the promises of an account`(_ kind: ServerProcess.Kind) async throws {
    let server = try await ServerProcess(kind)
    let transport = try NetworkTransport(userAgent: "epact-tests/1")
    let account = CalDAVAccount(
      address: try RemoteURL(parsing: server.root), credentials: CalDAVServerTests.credentials,
      transport: transport)
    try await AccountConformance(account) { collection in
      let calendar = try await CalDAVRemote(
        address: try RemoteURL(parsing: collection.place),
        credentials: CalDAVServerTests.credentials, transport: transport
      ).openCalendar()
      _ = try await calendar.create(try RemoteConformance.event("x", summary: "X"))
    }.run()
  }
}
