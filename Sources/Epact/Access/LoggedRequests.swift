// SPDX-License-Identifier: Apache-2.0

package import CalendarStore
package import CalendarSync

/// The decisions about remotes, and the requests that were sent under each grant, by kind.
package struct LoggedRequests: Sendable {
  /// The decisions about remotes, with the requests under each grant.
  package let log: DecisionLog<AccessLogEntry>
  /// The names of the remotes in the configuration.
  private let names: [RemoteIdentity: String]
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
    // A write that was interrupted is taken back before the grants are looked up.
    let ledger = try LedgerFolder(machine: machine, isReadOnly: true).openForViewing()
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
    self.names = names
    let decisions = try await ledger.decisions().filter { decision in
      guard case .remote(let identity) = decision.subject else { return false }
      return wanted == nil || identity == wanted
    }
    let entries = try await ledger.logEntries().filter { wanted == nil || $0.remote == wanted }
    log = DecisionLog(decisions, entries) { (.remote($0.remote), $0.grantedAt, $0.tier) }
  }

  /// The name of a remote in the configuration; nil if it has none.
  package func name(of remote: RemoteIdentity) -> String? { names[remote] }

  /// The JSON representation of each kind of requests.
  fileprivate var json: [JSONValue] {
    log.sections.flatMap(\.entries).map { $0.json(name: name(of: $0.remote)) }
  }

  /// The JSON representation of each decision about a remote.
  fileprivate var decisionsJSON: [JSONValue] {
    log.sections.compactMap { section in
      guard let decision = section.decision, case .remote(let identity) = decision.subject else {
        return nil
      }
      return decision.json(name: name(of: identity))
    }
  }
}

/// The log of requests to remotes, of uses by programs, or of both.
package struct LoggedAccess: Sendable {
  package let requests: LoggedRequests?
  package let uses: DecisionLog<ProgramLogEntry>?

  /// Joins the logs.
  package init(_ requests: LoggedRequests?, _ uses: DecisionLog<ProgramLogEntry>?) {
    (self.requests, self.uses) = (requests, uses)
  }

  /// The decisions, the requests and the uses.
  package var json: JSONValue {
    [
      "decisions": .array((requests?.decisionsJSON ?? []) + (uses?.decisionsJSON ?? [])),
      "requests": .array(requests?.json ?? []), "uses": .array(uses?.usesJSON ?? []),
    ]
  }
}
