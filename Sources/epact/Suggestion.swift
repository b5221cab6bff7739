// SPDX-License-Identifier: Apache-2.0

/// Finds what a person may have meant by a word that is not known.
package enum Suggestion {
  /// The most characters of a word that are compared, so that no input makes this slow.
  private static let limit = 64

  /// The candidate that is nearest to `word`, or nil if none is near enough to be meant.
  ///
  /// Near enough is one slip for every three characters, and one in a word of two: a letter left out,
  /// added, replaced, or swapped with the next. If none is, a candidate that begins with the word is meant.
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

  /// The number of slips between two words (the optimal string alignment distance).
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
