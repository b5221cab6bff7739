// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// Which of the components that share a UID and a kind are one item, whatever their order.
///
/// An item has one main component and one override for an occurrence. Where a stream has several,
/// those that say the same are one; of the others a higher SEQUENCE wins (RFC 5546 §2.1.5); and where
/// it does not tell, nothing says which is right, so all are kept, the others under UIDs of their own.
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

  /// Gives the whole selection another UID, because another kind of component has this one.
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

  /// Chooses one of the parts for the same occurrence and puts the others aside.
  private mutating func decide(between rivals: [Int], of parts: [ItemGroup.Part]) -> Int {
    let ranked = rivals.map { index in
      (
        index: index, revision: parts[index].component.revision,
        digest: CanonicalForm.digest(of: parts[index].component)
      )
    }.sorted {
      $0.revision == $1.revision
        ? $0.digest.bytes.lexicographicallyPrecedes($1.digest.bytes) : $0.revision > $1.revision
    }
    var seen: Set<SHA256.Digest> = []
    for candidate in ranked {
      let part = parts[candidate.index]
      guard seen.insert(candidate.digest).inserted else {
        report(
          part, .note, .repeatedItem, "found another one that says the same, which is left out")
        continue
      }
      if candidate.index == ranked[0].index { continue }
      if candidate.revision.sequence < ranked[0].revision.sequence {
        report(
          part, .warning, .supersededItem,
          "found one with SEQUENCE \(candidate.revision.sequence), which one with SEQUENCE "
            + "\(ranked[0].revision.sequence) supersedes; it is left out")
        continue
      }
      let derived = UID.derived(from: candidate.digest)
      var other = part
      other.component[.uid] = Property(.uid, text: derived.rawValue)
      separated.append(other)
      report(part, .warning, .sharedUID, "found another one; it becomes '\(derived)'")
    }
    return ranked[0].index
  }

  private mutating func report(
    _ part: ItemGroup.Part, _ severity: Diagnostic.Severity, _ code: DiagnosticCode,
    _ finding: String
  ) {
    let uid = part.component.uid?.rawValue ?? ""
    let what =
      part.component.isOverride ? "override for an occurrence of" : "component with the UID"
    diagnostics.append(
      part.component.diagnostic(
        severity, code, "expected one \(what) '\(uid)', \(finding)", reference: "RFC 4791 §4.1"))
  }
}
