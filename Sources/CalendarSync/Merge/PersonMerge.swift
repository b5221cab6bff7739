// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

/// Merges the parameters of an attendee or organizer (RFC 5545 §3.8.4.1).
///
/// A participation status from one side and a role from the other side are both preserved.
struct PersonMerge {
  private let local: Property
  private let remote: Property
  private let base: Property?
  /// The parameters that are taken from the remote.
  private var fromRemote: Set<ParameterName> = []
  /// The parameters that both sides changed differently.
  private var contested: Set<ParameterName> = []

  /// Whether the parameters can be merged without a conflict.
  var isClean: Bool { contested.isEmpty }

  /// Compares the versions; nil if they do not belong to one person.
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
    let own = ParametersByName(here)
    let theirs = ParametersByName(there)
    let ownBase = ParametersByName(localBase.first)
    let theirBase = ParametersByName(remoteBase.first)
    func meaning(_ parameters: ParametersByName, _ name: ParameterName) -> [CanonicalProperty] {
      let plain = Property(here.name, rawValue: here.rawValue, parameters: parameters[name])
      return clock.meanings(in: Component(.event, properties: [plain]), isOnce: true)
    }
    for name in own.names.union(theirs.names) {
      let isChangedHere = meaning(own, name) != meaning(ownBase, name)
      let isChangedThere = meaning(theirs, name) != meaning(theirBase, name)
      guard isChangedThere, meaning(own, name) != meaning(theirs, name) else { continue }
      if !isChangedHere {
        fromRemote.insert(name)
      } else if name == .scheduleStatus {
        // The server writes this parameter, so that it is not an edit (RFC 6638 §7.3).
        let (status, other) = (own[name].first?.value, theirs[name].first?.value)
        if (other ?? "") > (status ?? "") { fromRemote.insert(name) }
      } else if own[name].isEmpty {
        fromRemote.insert(name)
      } else if !theirs[name].isEmpty {
        contested.insert(name)
      }
    }
  }

  /// The merged property, with the conflicting parameters of one side.
  func merged(_ side: MergeSide) -> Property {
    taking(side == .local ? fromRemote : fromRemote.union(contested), from: remote)
  }

  /// The local property, with the base of the conflicting parameters.
  var undecided: Property { taking(contested, from: base) }

  /// The local property with some parameters of another one.
  ///
  /// Replaced parameters keep their positions, and new ones are appended.
  private func taking(_ foreign: Set<ParameterName>, from other: Property?) -> Property {
    guard !foreign.isEmpty else { return local }
    let theirs = ParametersByName(other)
    var left = foreign
    var parameters: [Parameter] = []
    for parameter in local.parameters {
      if !foreign.contains(parameter.name) {
        parameters.append(parameter)
      } else if left.remove(parameter.name) != nil {
        parameters += theirs[parameter.name]
      }
    }
    parameters += other?.parameters.filter { left.contains($0.name) } ?? []
    var result = local
    result.parameters = parameters
    return result
  }
}

/// The parameters of a property by name.
private struct ParametersByName {
  private let parameters: [ParameterName: [Parameter]]

  init(_ property: Property?) {
    parameters = Dictionary(grouping: property?.parameters ?? [], by: \.name)
  }

  var names: Set<ParameterName> { Set(parameters.keys) }

  /// The parameters with a name, in the order of the property.
  subscript(name: ParameterName) -> [Parameter] { parameters[name] ?? [] }
}
