// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

/// The parts of a sent component that a returned one lacks.
///
/// The parts are those of a merge, so that a missing part is the same one that a merge would count
/// as deleted:
///
/// ```
/// sent      CATEGORIES:a,b   COMMENT:one   COMMENT:two   STATUS:IN-PROCESS   PERCENT-COMPLETE:50
/// returned  CATEGORIES:a     COMMENT:one                 STATUS:COMPLETED
/// missing   b                              COMMENT:two
/// ```
///
/// A part is not missing if its place has another value: another property of a group, or another
/// value of a name that may occur several times.
struct MissingParts {
  private let sent: MergeParts
  private let returned: MergeParts
  private let layout: MergeLayout
  /// The number of returned values that no sent property was matched with, by value.
  private var budget: [MergeKey: Int] = [:]
  /// The names that have at least as many new values as missing ones.
  private var changed: Set<PropertyName> = []

  /// Compares two components.
  ///
  /// - Parameters:
  ///   - sent: The sent component.
  ///   - returned: The returned component.
  ///   - matches: The returned property of each sent one, if it is known.
  ///   - clock: The interpretation of times.
  init(
    of sent: Component, in returned: Component, _ matches: [Property?], _ clock: MergeClock
  ) {
    layout = MergeLayout(
      of: [sent, returned], component: sent.name, isFused: false, clock: clock)
    self.sent = MergeParts(of: sent, layout)
    self.returned = MergeParts(of: returned, layout)
    var surplus: [PropertyName: Int] = [:]
    for (key, name) in Self.elements(of: self.returned) {
      budget[key, default: 0] += 1
      surplus[name, default: 0] += 1
    }
    for (_, name) in Self.elements(of: self.sent) { surplus[name, default: 0] -= 1 }
    changed = Set(surplus.filter { $0.value >= 0 }.keys)
    for (line, match) in zip(self.sent.lines, matches) where match != nil {
      for piece in line.pieces { budget[piece.key]? -= 1 }
    }
  }

  private static func elements(of parts: MergeParts) -> [(MergeKey, PropertyName)] {
    parts.lines.flatMap(\.pieces).filter(\.key.isElement).map { ($0.key, $0.property.name) }
  }

  /// The remaining part of a sent property that has no match.
  ///
  /// - Parameter index: The index of the property in the component.
  /// - Returns: The property itself if no part of it is missing, a list with fewer values, or nil.
  mutating func rest(of index: Int) -> Property? {
    let line = sent.lines[index]
    guard let piece = line.pieces.first, piece.key.isElement else {
      return line.pieces.contains(where: isMissing) ? nil : line.property
    }
    if !layout.isList(line.property.name), changed.contains(line.property.name) {
      return line.property
    }
    return line.keeping(line.pieces.filter { take($0.key) })
  }

  private func isMissing(_ piece: MergeParts.Piece) -> Bool {
    guard !piece.meaning.isEmpty else { return false }
    guard case .group = piece.key else { return returned[piece.key].isEmpty }
    let theirs = Set(returned.meaning(of: piece.key).parts)
    return theirs.isSubset(of: sent.meaning(of: piece.key).parts)
      && theirs.isDisjoint(with: piece.meaning)
  }

  private mutating func take(_ key: MergeKey) -> Bool {
    guard let left = budget[key], left > 0 else { return false }
    budget[key] = left - 1
    return true
  }
}
