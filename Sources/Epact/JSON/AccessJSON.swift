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

extension ProgramDecision {
  /// The decision, with its restriction.
  package var json: JSONValue {
    [
      "program": .string(grant.program), "name": .string(grant.name),
      "entity": .string(grant.entity.rawValue), "status": .string(status.rawValue),
      "tier": .string(grant.tier.rawValue), "calendar": JSONValue(grant.calendar),
      "purpose": .string(grant.purpose), "grantedAt": .string(grant.grantedAt.timestamp),
      "grantedBy": .string(grant.grantedBy), "restriction": restriction?.json ?? .null,
    ]
  }
}

extension ProgramLogEntry {
  /// The logged uses of one class.
  package var json: JSONValue {
    [
      "program": .string(program), "entity": .string(entity.rawValue),
      "tier": .string(tier.rawValue), "grantedAt": .string(grantedAt.timestamp),
      "effect": .string(use.effect.rawValue), "use": .string(use.rawValue),
      "count": .integer(count), "first": .string(firstAt.timestamp),
      "last": .string(lastAt.timestamp),
    ]
  }
}

extension AccessDecision {
  /// The decision, with its subject.
  ///
  /// - Parameter name: The name of the remote in the configuration; nil if it has none.
  /// - Returns: The object.
  package func json(name: String? = nil) -> JSONValue {
    let (remote, program): (RemoteIdentity?, (String, ProgramEntity)?) =
      switch subject {
      case .remote(let identity): (identity, nil)
      case .program(let identifier, let entity): (nil, (identifier, entity))
      }
    return [
      "remote": JSONValue(name), "identity": JSONValue(remote?.description),
      "program": JSONValue(program?.0), "entity": JSONValue(program?.1.rawValue),
      "tier": JSONValue(tier?.rawValue), "purpose": JSONValue(tier == nil ? nil : purpose),
      "decidedAt": .string(decidedAt.timestamp), "decidedBy": .string(decidedBy),
    ]
  }
}

extension DecisionLog<ProgramLogEntry> {
  /// The JSON representation of each use.
  var usesJSON: [JSONValue] { sections.flatMap(\.entries).map(\.json) }

  /// The JSON representation of each decision.
  var decisionsJSON: [JSONValue] { sections.compactMap { $0.decision?.json() } }
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
