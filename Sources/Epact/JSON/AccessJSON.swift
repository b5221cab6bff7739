// SPDX-License-Identifier: Apache-2.0

package import CalendarSync

extension RemoteAccess {
  /// The access to the remote, with the grant and the restriction.
  package var json: JSONValue {
    [
      "remote": .string(name), "identity": .string(identity.description),
      "status": .string(status.rawValue), "tier": JSONValue(grant?.tier.rawValue),
      "purpose": JSONValue(grant?.purpose),
      "grantedAt": JSONValue(grant.map { $0.grantedAt.timestamp }),
      "grantedBy": JSONValue(grant?.grantedBy), "restriction": restriction?.json ?? .null,
    ]
  }
}

extension AccessRestriction {
  fileprivate var json: JSONValue {
    ["tier": .string(tier.rawValue), "decidedBy": .string(decidedBy), "place": .string(place)]
  }
}

extension AccessLogEntry {
  /// The logged requests of one kind.
  ///
  /// - Parameter name: The name of the remote in the configuration; nil if it has none.
  /// - Returns: The object.
  package func json(name: String?) -> JSONValue {
    [
      "remote": JSONValue(name), "identity": .string(remote.description),
      "tier": .string(tier.rawValue), "grantedAt": .string(grantedAt.timestamp),
      "effect": .string(request.effect.rawValue), "action": .string(request.action),
      "target": .string(request.target), "count": .integer(count),
      "first": .string(firstAt.timestamp), "last": .string(lastAt.timestamp),
    ]
  }
}
