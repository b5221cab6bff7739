// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
import CalendarSync
import CivilTime

/// The files of a calendar, with the facts by which queries choose their items.
///
/// ```swift
/// var table = ItemTable()
/// let gone = table.update(to: listing)   // doubts the files that changed
/// for row in table.staleRows {           // after they were read
///   table.set(.item(ItemSummary(entry)), of: row)
/// }
/// for row in table.rows(in: november) { print(table.name(row), gone) }
/// ```
///
/// A row is a number that stays the same as long as the file exists. A file that may have changed
/// is *stale*: its row has the content of an earlier version, or none, until it is read.
///
/// The texts of all rows are in one buffer, because a folder may have 100,000 files, and separate
/// objects for each take several times the memory and time.
package struct ItemTable: Sendable {
  /// The content of a file.
  package enum Content {
    /// An item.
    case item(ItemSummary)
    /// No item, for a reason.
    case unreadable(String)
  }

  var rows: [ItemRow] = []
  /// The texts of the rows, and those of earlier contents.
  var texts: [UInt8] = []
  /// The rows of all files in order of their names.
  package private(set) var order: [Int] = []
  /// The rows without a file, which the next files take.
  private var free: [Int] = []
  /// The number of bytes in the texts that belong to no row.
  private var unusedCount = 0
  /// The rows by UID; nil until it is needed.
  private var uids: UIDPlaces?
  /// The number of stale files.
  package private(set) var staleCount = 0

  /// Creates an empty table.
  package init() {}

  /// Creates a table of files of which all are known.
  ///
  /// - Parameters:
  ///   - rows: The rows, in order of their names.
  ///   - texts: Their texts, after bytes that belong to no row.
  ///   - start: The number of those bytes.
  init(_ rows: [ItemRow], texts: [UInt8], from start: Int) {
    (self.rows, self.texts, order) = (rows, texts, Array(rows.indices))
    unusedCount = start
  }

  /// Creates the table of a calendar in one file.
  ///
  /// - Parameter items: The items with their names, of which none occurs twice.
  package init(_ items: [(name: String, item: ItemSummary)]) {
    for item in items.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
      order.append(insert(Array(item.name.utf8), nil))
      set(.item(item.item), of: rows.count - 1)
    }
  }

  // MARK: Rows

  /// The number of files.
  package var count: Int { order.count }

  /// The files that must be read before their content is used, in order of their names.
  package var staleRows: [Int] { staleCount == 0 ? [] : order.filter { rows[$0].isStale } }

  /// The name of a file.
  package func name(_ row: Int) -> String { text(rows[row].nameRange) }

  /// The reason why a file has no item; nil if it has one or was never read.
  package func unreadableReason(_ row: Int) -> String? {
    rows[row].content == .unreadable ? text(rows[row].titlesRange) : nil
  }

  /// The UID of a row with an item.
  package func uid(_ row: Int) -> UID { UID(text(rows[row].uidRange)) }

  /// Whether a later change of a file certainly changes its status.
  package func isCertain(_ row: Int) -> Bool { rows[row].isCertain }

  /// Whether a file must be read before its content is used.
  package func isStale(_ row: Int) -> Bool { rows[row].isStale }

  /// The file of a row, for reading it again.
  package func file(_ row: Int) -> KnownFile {
    let facts = rows[row]
    let isKnown = facts.isCertain && !facts.isStale && facts.kind != nil
    return KnownFile(
      name: name(row), stamp: facts.stamp, revision: isKnown ? facts.revision?.revision : nil)
  }

  /// The facts about the item of a row; nil if there is none.
  package func summary(_ row: Int) -> ItemSummary? {
    let facts = rows[row]
    guard let kind = facts.kind else { return nil }
    let titles = texts[facts.titlesRange].split(
      separator: ItemRow.titleSeparator, omittingEmptySubsequences: false)
    return ItemSummary(
      uid: uid(row), kind: kind, span: facts.span,
      revision: facts.revision?.revision ?? Revision(""),
      titles: titles.map { String(decoding: $0, as: UTF8.self) },
      words: facts.hasWords ? Array(texts[facts.wordsRange]) : nil, isSettled: facts.isSettled)
  }

  private func text(_ range: Range<Int>) -> String {
    String(decoding: texts[range], as: UTF8.self)
  }

  // MARK: Changes

  /// Takes the files of a listing, and makes those stale that may have changed.
  ///
  /// - Parameter listing: The folder.
  /// - Returns: The rows of files that are gone.
  package mutating func update(to listing: FolderListing) -> [Int] {
    var (gone, next): ([Int], Int) = ([], 0)
    var newOrder: [Int] = []
    newOrder.reserveCapacity(listing.files.count)
    for file in listing.files {
      let name = listing.names[file.place]
      var comparison = 1
      while next < order.count {
        comparison = texts.span.extracting(rows[order[next]].nameRange).compared(to: name.span)
        guard comparison < 0 else { break }
        gone.append(order[next])
        next += 1
      }
      if next < order.count, comparison == 0 {
        if !rows[order[next]].isCertainly(file.version) { doubt(order[next], file.version) }
        newOrder.append(order[next])
        next += 1
      } else {
        newOrder.append(insert(Array(name), file.version))
      }
    }
    gone += order[next...]
    order = newOrder
    for row in gone { clear(row) }
    compactTexts()
    return gone
  }

  /// Takes the status of some files, which are stale then.
  ///
  /// - Parameter files: The files by name; nil for those that are gone.
  /// - Returns: The rows of files that are gone.
  package mutating func update(_ files: [String: FileVersion?]) -> [Int] {
    var gone: [Int] = []
    for (name, file) in files {
      let (place, isKnown) = place(of: name)
      switch (file, isKnown) {
      case (let file?, true): doubt(order[place], file)
      case (let file?, false):
        order.insert(insert(Array(name.utf8), file), at: place)
      case (nil, true): gone.append(order.remove(at: place))
      case (nil, false): break
      }
    }
    for row in gone { clear(row) }
    compactTexts()
    return gone
  }

  /// Removes a file that is gone.
  package mutating func remove(_ row: Int) {
    let (place, isKnown) = place(of: name(row))
    guard isKnown, order[place] == row else { return }
    order.remove(at: place)
    clear(row)
  }

  /// Sets the content of a file that was read; it is not stale then.
  ///
  /// - Returns: Whether it differs from the content before.
  @discardableResult
  package mutating func set(_ content: Content, of row: Int) -> Bool {
    if rows[row].isStale {
      rows[row].isStale = false
      staleCount -= 1
    }
    guard !isSame(content, row) else { return false }
    forgetUID(row)
    // A slice would share the buffer, and each change would copy all texts.
    let name = Array(texts[rows[row].nameRange])
    unusedCount += rows[row].textCount
    rows[row].take(content, named: name, appendingTo: &texts)
    noteUID(row)
    compactTexts()
    return true
  }

  private func isSame(_ content: Content, _ row: Int) -> Bool {
    switch content {
    case .unreadable(let reason): unreadableReason(row) == reason
    case .item(let item):
      rows[row].kind == item.kind && rows[row].revision == RevisionBytes(item.revision)
        && rows[row].revision != nil && uid(row).rawValue == item.uid.rawValue
    }
  }

  /// Takes the status of a file, which is stale then.
  private mutating func doubt(_ row: Int, _ version: FileVersion) {
    if !rows[row].isStale {
      rows[row].isStale = true
      staleCount += 1
    }
    (rows[row].stamp, rows[row].isCertain) = (version.stamp, version.isCertain)
  }

  private mutating func insert(_ name: [UInt8], _ version: FileVersion?) -> Int {
    var row = ItemRow(version?.stamp ?? .none, isCertain: version?.isCertain ?? false)
    row.setName(name, appendingTo: &texts)
    staleCount += 1
    if let place = free.popLast() {
      rows[place] = row
      return place
    }
    rows.append(row)
    return rows.count - 1
  }

  private mutating func clear(_ row: Int) {
    forgetUID(row)
    if rows[row].isStale { staleCount -= 1 }
    unusedCount += rows[row].textCount
    rows[row] = ItemRow(.none, isCertain: false)
    rows[row].isStale = false
    free.append(row)
  }

  /// Removes the texts of no row if they are more than the others.
  private mutating func compactTexts() {
    guard unusedCount > 65_536, unusedCount > texts.count / 2 else { return }
    var all: [UInt8] = []
    all.reserveCapacity(texts.count - unusedCount)
    for row in order {
      let range = rows[row].textRange
      rows[row].start = all.count
      all += texts[range]
    }
    (texts, unusedCount) = (all, 0)
  }

  /// The index of a name in the order, or the one at which it would be.
  private func place(of name: String) -> (place: Int, isKnown: Bool) {
    let bytes = Array(name.utf8)
    var (lower, upper) = (0, order.count)
    while lower < upper {
      let middle = (lower + upper) / 2
      let other = texts.span.extracting(rows[order[middle]].nameRange)
      let comparison = other.compared(to: bytes.span)
      if comparison == 0 { return (middle, true) }
      if comparison < 0 { lower = middle + 1 } else { upper = middle }
    }
    return (lower, false)
  }

  // MARK: UIDs

  /// The rows of the items with a UID.
  package mutating func rows(of uid: UID) -> [Int] {
    findUIDs()
    return uids?.rows(with: UIDPlaces.hash(of: uid.rawValue.utf8.span)).filter {
      texts.span.extracting(rows[$0].uidRange).compared(to: uid.rawValue.utf8.span) == 0
    } ?? []
  }

  /// The rows of the items that share their UID with others.
  package mutating func rowsOfSharedUIDs() -> [UID: [Int]] {
    findUIDs()
    var shared: [UID: [Int]] = [:]
    for group in uids?.groups ?? [] {
      let rows = Dictionary(grouping: group) { Array(texts[self.rows[$0].uidRange]) }
      for (_, rows) in rows where rows.count > 1 { shared[uid(rows[0])] = rows }
    }
    return shared
  }

  private mutating func findUIDs() {
    guard uids == nil else { return }
    var places = UIDPlaces(capacity: order.count)
    for row in order where rows[row].kind != nil {
      places.insert(row, hashOfUID(row))
    }
    uids = places
  }

  private func hashOfUID(_ row: Int) -> Int {
    UIDPlaces.hash(of: texts.span.extracting(rows[row].uidRange))
  }

  private mutating func noteUID(_ row: Int) {
    guard rows[row].kind != nil else { return }
    let hash = hashOfUID(row)
    uids?.insert(row, hash)
  }

  private mutating func forgetUID(_ row: Int) {
    guard rows[row].kind != nil else { return }
    let hash = hashOfUID(row)
    uids?.remove(row, hash)
  }
}
