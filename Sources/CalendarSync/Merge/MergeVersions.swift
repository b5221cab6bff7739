// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

/// The versions of one component in a merge: the current ones and the bases of both sides.
///
/// Each side has its own base, because the base of a server includes its alterations.
struct MergeVersions {
  var localBase: Component?
  var remoteBase: Component?
  var local: Component
  var remote: Component

  /// The existing versions, the current ones first.
  var all: [Component] { [local, remote] + [localBase, remoteBase].compactMap(\.self) }

  /// The side that was modified last, or nil if it is unknown.
  var newest: MergeSide? {
    for name in [PropertyName.lastModified, .dtStamp] {
      guard let here = local[name]?.rawValue, let there = remote[name]?.rawValue else { continue }
      // UTC times have a fixed format, so that their text order is their time order.
      if here != there { return here > there ? .local : .remote }
    }
    return nil
  }
}

/// The settings of a merge.
struct MergeSettings {
  let policies: MergePolicies
  /// The path of the component, for display: `VEVENT 20260302T090000`.
  var path: String
  /// The outcome for the time of an override that depends on the start of the series.
  var outcomeOfTime: MergeConflict.Outcome?
  /// The side whose start applies to an override, if the sides have different starts.
  var sideOfStart: MergeSide?

  /// The outcome of a conflict about a part with these names.
  func outcome(for names: [String], _ versions: MergeVersions) -> MergeConflict.Outcome {
    switch policies.policy(for: names) {
    case .keepBoth: .waits
    case .local: .chosen(.local)
    case .remote: .chosen(.remote)
    case .newest: versions.newest.map { .chosen($0) } ?? .waits
    }
  }
}

extension MergeVersions {
  /// A main component without its recurrence properties, for `implyBases(_:_:_:)`.
  ///
  /// Overrides have no recurrence properties, and their lists can be long.
  static func withoutRecurrence(_ main: Component?) -> Component? {
    guard var plain = main else { return nil }
    let names = MergeGroup.rule.names + [.rDate, .exDate]
    plain.properties = PropertyList(
      plain.properties.filter { property in !names.contains { property.isNamed($0) } })
    return plain
  }

  /// Gives an override that both sides created the bases that the series implies.
  ///
  /// The arguments are the main components of both bases, without their recurrence properties.
  mutating func implyBases(
    _ localMain: Component?, _ remoteMain: Component?, _ clock: MergeClock
  ) {
    guard localBase == nil, remoteBase == nil, local.isOverride else { return }
    localBase = impliedBase(localMain, clock)
    remoteBase = impliedBase(remoteMain, clock)
  }

  /// The implied base of an override that both sides created: the occurrence of the series.
  ///
  /// It contains only properties that both overrides have, because omitting a property in one of
  /// them is not a deletion.
  private func impliedBase(_ main: Component?, _ clock: MergeClock) -> Component? {
    guard let main, let id = local[.recurrenceID], let implied = clock.implied(main, at: id) else {
      return nil
    }
    return implied.without(implied.names.subtracting(local.names.intersection(remote.names)))
  }
}
