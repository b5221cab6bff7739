// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// Selects the components with the same UID and kind that form one item, regardless of order.
///
/// An item has one main component and one override for each occurrence. If a stream has several,
/// `RivalRanking` selects one; the others that it keeps get UIDs of their own.
struct PartSelection {
  private(set) var kept: [ItemGroup.Part] = []
  /// Parts that become items of their own, with other UIDs.
  private(set) var separated: [ItemGroup.Part] = []
  private(set) var diagnostics: [Diagnostic] = []

  init(of parts: [ItemGroup.Part]) {
    var places: [OccurrenceKey: [Int]] = [:]
    for (index, part) in parts.enumerated() {
      places[part.component.occurrenceKey, default: []].append(index)
    }
    var chosen: Set<Int> = []
    for rivals in places.values {
      chosen.insert(rivals.count == 1 ? rivals[0] : decide(between: rivals, of: parts))
    }
    kept = parts.indices.filter { chosen.contains($0) }.map { parts[$0] }
    separated.sort { $0.component.uid ?? UID("") < $1.component.uid ?? UID("") }
    diagnostics.sort { $0.position < $1.position }
  }

  /// Gives the whole selection another UID, because a component of another kind has this one.
  mutating func rename(becauseOf other: ItemKind) {
    guard let first = kept.first, let uid = first.component.uid else { return }
    var form = CanonicalForm()
    form.append(uid.rawValue)
    form.append(first.kind.rawValue)
    let derived = UID.derived(from: SHA256.digest(of: form.bytes))
    for index in kept.indices {
      kept[index].component[.uid] = Property(.uid, text: derived.rawValue)
    }
    diagnostics.append(
      first.component.diagnostic(
        .warning, .sharedUID,
        "expected only one kind of component with the UID '\(uid)', found \(other.rawValue) and "
          + "\(first.kind.rawValue); the latter becomes '\(derived)'", reference: "RFC 4791 §4.1"))
  }

  /// Chooses one of the parts for the same occurrence, and separates or drops the others.
  private mutating func decide(between rivals: [Int], of parts: [ItemGroup.Part]) -> Int {
    let ranking = RivalRanking(of: rivals.map { parts[$0].component })
    for other in ranking.others {
      var part = parts[rivals[other.place]]
      var derived: UID?
      if case .equal = other.verdict { derived = UID.derived(from: other.digest) }
      diagnostics.append(
        RivalRanking.diagnostic(about: part.component, other.verdict, keptAs: derived))
      guard let derived else { continue }
      part.component[.uid] = Property(.uid, text: derived.rawValue)
      separated.append(part)
    }
    return rivals[ranking.chosen]
  }
}
