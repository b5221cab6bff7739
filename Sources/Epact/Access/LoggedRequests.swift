// SPDX-License-Identifier: Apache-2.0

package import CalendarStore
package import CalendarSync

/// The requests that were sent under each grant, by kind.
package struct LoggedRequests: Sendable {
  /// The requests of one kind.
  package struct Entry: Sendable {
    package let request: AccessLogEntry
    /// The name of the remote in the configuration; nil if it has none.
    package let name: String?
  }

  /// The requests, grant by grant.
  package private(set) var entries: [Entry]
  /// The remotes whose requests cannot be attributed, because their calendars cannot be read.
  package let unreadable: [(name: String, error: StoreError)]

  /// Reads the log of a user.
  ///
  /// - Parameters:
  ///   - remote: The name of the only remote to report on, or nil for all.
  ///   - configuration: The configuration with the remotes.
  ///   - machine: The folders.
  /// - Throws: `EpactError` if the configuration has no such remote; errors of the ledger.
  package init(
    to remote: String?, in configuration: Configuration, machine: Machine
  ) async throws {
    var names: [RemoteIdentity: String] = [:]
    var wanted: RemoteIdentity?
    var unreadable: [(name: String, error: StoreError)] = []
    func identity(_ name: String) async throws -> RemoteIdentity {
      try await RemoteAccess(to: name, in: configuration, machine: machine, isDryRun: true).identity
    }
    for name in configuration.grantNames {
      do {
        let identity = try await identity(name)
        names[identity] = name
        if name == remote { wanted = identity }
      } catch let error as StoreError {
        unreadable.append((name, error))
      }
    }
    if let remote, wanted == nil {
      // The error message suggests the name that the user probably meant.
      wanted = try await identity(remote)
    }
    self.unreadable = unreadable
    let ledger = try LedgerFolder(machine: machine, isReadOnly: true).openLedger()
    entries = try await ledger.logEntries()
      .filter { wanted == nil || $0.remote == wanted }
      .map { Entry(request: $0, name: names[$0.remote]) }
  }

  /// The JSON representation of each kind of requests.
  package var json: [JSONValue] { entries.map { $0.request.json(name: $0.name) } }
}
