// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

/// Merges what two sides say of one attendee or organizer, parameter by parameter: the answer of the
/// one and the role that the other gave both survive (RFC 5545 §3.8.4.1).
struct PersonMerge {
  private let local: Property
  private let remote: Property
  private let base: Property?
  /// The parameters that come from the remote.
  private var fromRemote: Set<ParameterName> = []
  /// Those that both sides changed differently.
  private var contested: Set<ParameterName> = []

  /// Whether the parameters go together.
  var isClean: Bool { contested.isEmpty }

  /// Compares the versions; nil if they are not of one person.
  init?(
    local: [Property], remote: [Property], localBase: [Property], remoteBase: [Property],
    clock: MergeClock
  ) {
    guard local.count == 1, remote.count == 1, let here = local.first, let there = remote.first,
      here.name == .attendee || here.name == .organizer,
      here.rawValue.lowercased() == there.rawValue.lowercased()
    else { return nil }
    self.local = here
    self.remote = there
    base = localBase.first
    func meaning(_ property: Property?, _ name: ParameterName) -> [CanonicalProperty] {
      let parameters = property?.parameters.filter { $0.name == name } ?? []
      let plain = Property(here.name, rawValue: here.rawValue, parameters: parameters)
      return clock.meanings(in: Component(.event, properties: [plain]), isOnce: true)
    }
    for name in Set((here.parameters + there.parameters).map(\.name)) {
      let isChangedHere = meaning(here, name) != meaning(localBase.first, name)
      let isChangedThere = meaning(there, name) != meaning(remoteBase.first, name)
      guard isChangedThere, meaning(here, name) != meaning(there, name) else { continue }
      if !isChangedHere {
        fromRemote.insert(name)
      } else if name == .scheduleStatus {
        // The server writes it, so that it is no edit of anybody (RFC 6638 §7.3).
        if (there[name] ?? "") > (here[name] ?? "") { fromRemote.insert(name) }
      } else if !here.has(name) {
        fromRemote.insert(name)
      } else if there.has(name) {
        contested.insert(name)
      }
    }
  }

  /// The merged property, with what is contested from one side.
  func merged(_ side: MergeSide) -> Property {
    taking(side == .local ? fromRemote : fromRemote.union(contested), from: remote)
  }

  /// The local property, with what is contested as it was.
  var undecided: Property { taking(contested, from: base) }

  private func taking(_ foreign: Set<ParameterName>, from other: Property?) -> Property {
    guard !foreign.isEmpty else { return local }
    var result = local
    var parameters = local.parameters
    for name in foreign {
      let theirs = other?.parameters.filter { $0.name == name } ?? []
      let place = parameters.firstIndex { $0.name == name } ?? parameters.endIndex
      parameters.removeAll { $0.name == name }
      parameters.insert(contentsOf: theirs, at: min(place, parameters.count))
    }
    result.parameters = parameters
    return result
  }
}

extension Property {
  fileprivate func has(_ name: ParameterName) -> Bool {
    parameters.contains { $0.name == name }
  }
}
