// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes

/// A server that some syncs of a run could not reach.
///
/// It is one problem, however many syncs use the server.
package struct ServerOutage: Sendable {
  /// The names of the syncs, in their order.
  package internal(set) var syncs: [String]
  /// The result of the first sync.
  package let result: SyncResult

  /// Groups the results of syncs that could not reach a server, by server.
  ///
  /// - Parameter results: The results; those with another end are left out.
  /// - Returns: The outages, in the order of their first syncs.
  package static func find(in results: [SyncResult]) -> [ServerOutage] {
    var outages: [ServerOutage] = []
    var places: [String: Int] = [:]
    for result in results {
      guard let server = result.unreachableServer else { continue }
      if let place = places[server] {
        outages[place].syncs.append(result.name)
      } else {
        places[server] = outages.count
        outages.append(ServerOutage(syncs: [result.name], result: result))
      }
    }
    return outages
  }

  /// The results of syncs that did not succeed; those that cannot reach one server are one.
  package static func failures(in results: [SyncResult]) -> [ServerOutage] {
    let outages = find(in: results)
    return results.filter { $0.outcome != .done }.compactMap { result in
      guard let outage = outages.first(where: { $0.syncs.contains(result.name) }) else {
        return ServerOutage(syncs: [result.name], result: result)
      }
      return outage.result.name == result.name ? outage : nil
    }
  }
}

extension SyncResult {
  /// The server that could not be reached; nil if the sync ended otherwise.
  package var unreachableServer: String? {
    guard let error, error.code == .unavailable, let subject = error.subject,
      let address = try? RemoteURL(parsingFeed: subject)
    else { return nil }
    return "\(address.origin)"
  }
}
