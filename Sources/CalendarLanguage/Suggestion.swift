// SPDX-License-Identifier: Apache-2.0

/// Suggests a known word for an unknown one.
package enum Suggestion {
  /// The maximum number of compared characters, which limits the time.
  private static let limit = 64

  /// The candidate closest to `word`, or nil if none is close enough.
  ///
  /// One edit is allowed for every three characters, but at least one. An edit is a deletion, an
  /// insertion, a substitution, or a swap of adjacent letters. If no candidate is close enough, the
  /// shortest one with the word as a prefix is returned.
  package static func nearest(to word: String, among candidates: some Collection<String>) -> String?
  {
    let word = Array(word.lowercased().prefix(limit))
    guard word.count > 1 else { return nil }
    let allowed = max(1, word.count / 3)
    var best: (name: String, distance: Int)?
    for candidate in candidates {
      let distance = distance(from: word, to: Array(candidate.lowercased().prefix(limit)))
      guard distance <= allowed else { continue }
      if let found = best, found.distance <= distance { continue }
      best = (candidate, distance)
    }
    guard best == nil, word.count > 2 else { return best?.name }
    return candidates.filter { $0.lowercased().hasPrefix(String(word)) }.min { $0.count < $1.count }
  }

  /// The number of edits between two words (optimal string alignment distance).
  private static func distance(from left: [Character], to right: [Character]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let same = left[row] == right[column]
        var least = min(last[column + 1] + 1, current[column] + 1, last[column] + (same ? 0 : 1))
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          least = min(least, beforeLast[column - 1] + 1)
        }
        current.append(least)
      }
      (beforeLast, last) = (last, current)
    }
    return last[right.count]
  }
}
