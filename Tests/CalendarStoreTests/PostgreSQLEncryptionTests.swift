// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import TestSupport
import Testing

/// A server that proves its name, as one on another machine has to.
@Suite struct PostgreSQLEncryptionTests {
  @Test func `Only a server that proves its name is trusted`() async throws {
    let server = try PostgreSQLServer.shared()
    let authority = try server.encrypt()
    let database = try server.makeDatabase()
    func open(_ host: String, trusting authority: String) throws(any Error) -> LedgerDatabase {
      let address = try PostgreSQLAddress(
        "postgresql://epact@\(host):\(server.port)/\(database)?sslmode=verify-full&sslrootcert="
          + authority)
      return try LedgerDatabase(
        at: PostgreSQLPlace(address: address, tenant: "ada"), taking: nil)
    }
    let ledger = try open("localhost", trusting: authority)
    #expect(try await ledger.grants() == [])
    let encrypted = try server.execute(
      """
      SELECT bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
      WHERE usename = 'epact' AND datname = '\(database)'
      """, in: database)
    #expect(encrypted == "t")
    for (host, file, problem) in [
      ("localhost", ServerProcess.certificate, "certificate verify failed"),
      ("127.0.0.1", authority, "does not match host name"),
    ] {
      let error = #expect(throws: StoreError.self) { _ = try open(host, trusting: file) }
      #expect(error?.code == .disconnected)
      #expect(error?.message.contains(problem) == true, "\(error as Any)")
    }
  }
}
