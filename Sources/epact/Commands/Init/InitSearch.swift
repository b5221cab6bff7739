// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import CalendarSync
import Synchronization

/// Looks for the calendars of an account.
struct InitSearch: Sendable {
  /// A calendar that was found.
  struct Found: Sendable {
    /// Its name for people.
    let title: String
    /// Its address, which is the one to configure.
    let address: String
    /// What is worth knowing before it is chosen, or nil.
    let remark: String?
  }

  let account: InitAccount
  var user: String
  let identity: NetworkIdentity
  let context: Context

  /// Looks for the calendars.
  ///
  /// - Parameters:
  ///   - password: Where the password comes from.
  ///   - requests: Gets what is asked on the way, however it ends.
  ///   - agree: Whether a password may be sent to a server that only the name service tells of.
  /// - Returns: The calendars.
  /// - Throws: `RemoteError` of the last place that was tried, or `Failure`.
  func calendars(
    with password: InitPlan.Password, noting requests: inout [AccessRequest],
    _ agree: (_ address: String) throws -> Bool
  ) async throws -> [Found] {
    let asked = Mutex<[AccessRequest]>([])
    defer { requests += asked.withLock { $0 } }
    let credentials = Credentials(user: user, password: try secret(of: password))
    let network = try context.machine.makeTransport(
      identity, ServerSettings.defaultConnections)
    let policies = try AccessPolicyFile(machine: context.machine).load()
    var failure: (any Error)?
    for place in try await account.places(SystemServiceLookup()) {
      let address = place.address.description
      let identity = RemoteIdentity(kind: "caldav", location: address, user: user)
      if let restriction = policies.restriction(on: identity), restriction.tier < .full {
        throw Failure(.noAccess, "access to \(address) is \(restriction)")
      }
      guard try place.isOwn || agree(address) else { continue }
      let transport = ObservedTransport(
        network, note: { request in asked.withLock { $0.append(request) } }, observe: { _ in })
      let collections = CalendarCollections(
        address: place.address, credentials: credentials, transport: transport)
      do {
        return try await collections.list().map(Found.init)
      } catch let error as RemoteError {
        // Wrong credentials are wrong everywhere; asking on could lock an account.
        if error.code == .credentials { throw error }
        failure = failure ?? error
      }
    }
    throw failure ?? Failure(.nothingDone, "no server of this account was asked")
  }

  private func secret(of password: InitPlan.Password) throws -> String {
    let source: PasswordSource
    switch password {
    case .none: return ""
    case .newFile(_, let secret): return secret.revealed
    case .command(let words): source = .command(words)
    case .file(let path): source = .file(path)
    }
    let reader = PasswordReader(
      remote: account.name, host: account.host, machine: context.machine)
    return try reader.password(from: source, for: user).revealed
  }
}

extension InitSearch.Found {
  fileprivate init(_ collection: CalendarCollection) {
    title = collection.title
    address = collection.url.description
    var remarks: [String] = []
    if let components = collection.components, !components.contains("VEVENT") {
      remarks.append("for \(components.sorted().joined(separator: ", ")) only")
    }
    if collection.privileges?.isReadOnly == true { remarks.append("may only be read") }
    remark = remarks.isEmpty ? nil : remarks.joined(separator: ", ")
  }
}
