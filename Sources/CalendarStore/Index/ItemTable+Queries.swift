// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
package import CalendarSync
package import CivilTime

extension ItemTable {
  /// The number of items, each UID once.
  package var itemCount: Int { order.count { isItem($0, of: []) } }

  /// The rows of items of some kinds that may have occurrences in a range of time, in the order of
  /// their start.
  ///
  /// - Parameters:
  ///   - range: The range of time; nil for all items, in order of their names.
  ///   - kinds: The kinds; empty for all.
  /// - Returns: The rows.
  package func rows(in range: Range<Instant>?, of kinds: Set<ItemKind> = []) -> [Int] {
    guard let range else { return order.filter { isItem($0, of: kinds) } }
    let (lower, upper) = (range.lowerBound.secondsSinceEpoch, range.upperBound.secondsSinceEpoch)
    let found = order.filter { row in
      rows[row].lower < upper && rows[row].upper > lower && rows[row].lower <= rows[row].upper
        && isItem(row, of: kinds)
    }
    return found.sorted { left, right in
      rows[left].lower == rows[right].lower
        ? uid(left) < uid(right) : rows[left].lower < rows[right].lower
    }
  }

  /// Whether a file has an item of some kinds, and no other file has its UID; no kinds stand for all.
  private func isItem(_ row: Int, of kinds: Set<ItemKind>) -> Bool {
    guard let kind = rows[row].kind, !rows[row].isShadowed else { return false }
    return kinds.isEmpty || kinds.contains(kind)
  }

  /// The kind and the time of a row's item, without its texts; nil if there is none.
  package func times(_ row: Int) -> (kind: ItemKind, span: Range<Instant>?)? {
    rows[row].kind.map { ($0, rows[row].span) }
  }

  /// Whether the item of a row is a reminder that is closed, as ``ItemSummary/isSettled``.
  package func isSettled(_ row: Int) -> Bool { rows[row].isSettled }

  /// Whether a name of a row's item may fit: its UID, or one of its titles.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - isFitting: Whether the bytes of a name may fit.
  /// - Returns: Whether one of them does.
  package func hasName(_ row: Int, where isFitting: (Span<UInt8>) -> Bool) -> Bool {
    let facts = rows[row]
    return isFitting(texts.span.extracting(facts.uidRange))
      || isFitting(texts.span.extracting(facts.titlesRange))
  }

  /// Whether the text that a search looks in certainly lacks one of some words in lower case.
  package func certainlyLacks(_ row: Int, oneOf words: [[UInt8]]) -> Bool {
    let facts = rows[row]
    guard facts.kind != nil, facts.hasWords else { return false }
    let text = texts.span.extracting(facts.wordsRange)
    return words.contains { !text.contains($0.span) }
  }

  // MARK: Items that share a UID

  /// Determines the files whose UID belongs to the item in another file.
  ///
  /// - Parameter choose: The names of the items' files among those with each UID.
  package mutating func shadow(by choose: ([UID: [String]]) -> [UID: String]) {
    for row in order where rows[row].isShadowed { rows[row].isShadowed = false }
    let shared = rowsOfSharedUIDs()
    guard !shared.isEmpty else { return }
    let chosen = choose(shared.mapValues { $0.map(name) })
    for (uid, rows) in shared {
      for row in rows where chosen[uid] != name(row) { self.rows[row].isShadowed = true }
    }
  }

  /// The item with a UID; nil if there is none.
  package mutating func row(of uid: UID) -> Int? {
    rows(of: uid).first { !rows[$0].isShadowed }
  }

  /// The files that are no items, in order of their names: the unreadable ones, and those whose UID
  /// belongs to the item in another file.
  package mutating func unreadable() -> [UnreadableEntry] {
    let odd = order.filter { rows[$0].isShadowed || rows[$0].content == .unreadable }
    return odd.compactMap { row in
      if let reason = unreadableReason(row) {
        return UnreadableEntry(name: name(row), reason: reason)
      }
      let uid = uid(row)
      return self.row(of: uid).map {
        UnreadableEntry(name(row), sharing: uid, with: name($0))
      }
    }
  }

  // MARK: Comparing

  /// A number that differs after a change of a file's status, for comparison in this process.
  package var statusHash: Int {
    var hasher = Hasher()
    for row in order {
      let name = texts.span.extracting(rows[row].nameRange)
      unsafe name.withUnsafeBytes { bytes in unsafe hasher.combine(bytes: bytes) }
      hasher.combine(rows[row].stamp)
    }
    return hasher.finalize()
  }
}

extension Span<UInt8> {
  /// Whether other bytes occur in these.
  fileprivate func contains(_ other: Span<UInt8>) -> Bool {
    guard other.count > 0 else { return true }
    guard other.count <= count else { return false }
    let first = other[0]
    for start in 0...count - other.count where self[start] == first {
      var length = 1
      while length < other.count, self[start + length] == other[length] { length += 1 }
      if length == other.count { return true }
    }
    return false
  }
}
