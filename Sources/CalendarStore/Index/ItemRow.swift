// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime

/// A row of an ``ItemTable``: the status of a file, and the places of its texts.
///
/// It has no references, so that a table of 100,000 rows is copied and compared as bytes.
///
///     texts   name ‖ UID ‖ titles, separated ‖ words
struct ItemRow: Sendable {
  /// The state of what is known.
  enum Content: UInt8 {
    /// The file was never read.
    case unknown = 0
    /// It has an item.
    case item = 1
    /// It has none; the reason is in the place of the titles.
    case unreadable = 2
  }

  /// A byte that no text has.
  static let titleSeparator: UInt8 = 0xFF

  /// The status of the file.
  var stamp: FileStamp
  /// The revision of the item's file; nil if it is not that of a digest.
  var revision: RevisionBytes?
  /// The range of time in seconds since 1970; the lower bound is greater for none.
  var (lower, upper): (Int64, Int64) = (1, 0)
  /// The offset of the texts, and their lengths in bytes.
  var start = 0
  var (nameCount, uidCount, titlesCount, wordsCount): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
  var content = Content.unknown
  /// The kind of the item; nil if there is none.
  var kind: ItemKind?
  /// Whether a later change of the file certainly changes its status.
  var isCertain: Bool
  /// Whether the content may be that of an earlier version.
  var isStale = true
  /// Whether the words that are searched are known.
  var hasWords = false
  /// Whether the item is a reminder that is closed, as ``ItemSummary/isSettled``.
  var isSettled = false
  /// Whether another file with the same UID is the item.
  var isShadowed = false

  /// Creates the row of a file that was never read.
  init(_ stamp: FileStamp, isCertain: Bool) {
    (self.stamp, self.isCertain) = (stamp, isCertain)
  }

  /// Whether the file certainly has the known content if it has a version now.
  func isCertainly(_ version: FileVersion) -> Bool {
    isCertain && !isStale && stamp == version.stamp
  }

  // MARK: Texts

  var nameRange: Range<Int> { start..<start + Int(nameCount) }
  var uidRange: Range<Int> { nameRange.upperBound..<nameRange.upperBound + Int(uidCount) }
  var titlesRange: Range<Int> { uidRange.upperBound..<uidRange.upperBound + Int(titlesCount) }
  var wordsRange: Range<Int> { titlesRange.upperBound..<titlesRange.upperBound + Int(wordsCount) }
  /// The range of all texts.
  var textRange: Range<Int> { start..<wordsRange.upperBound }
  var textCount: Int { textRange.count }

  var span: Range<Instant>? {
    lower <= upper
      ? Instant(secondsSinceEpoch: lower)..<Instant(secondsSinceEpoch: upper) : nil
  }

  mutating func setName(_ name: [UInt8], appendingTo texts: inout [UInt8]) {
    start = texts.count
    texts += name
    (nameCount, uidCount, titlesCount, wordsCount) = (Int32(clamping: name.count), 0, 0, 0)
  }

  /// Takes a content, whose texts are appended to those of the table.
  mutating func take(
    _ content: ItemTable.Content, named name: [UInt8], appendingTo texts: inout [UInt8]
  ) {
    setName(name, appendingTo: &texts)
    (revision, lower, upper, kind, hasWords, isSettled) = (nil, 1, 0, nil, false, false)
    switch content {
    case .unreadable(let reason):
      self.content = .unreadable
      texts += reason.utf8
      titlesCount = Int32(clamping: reason.utf8.count)
    case .item(let item):
      self.content = .item
      kind = item.kind
      revision = RevisionBytes(item.revision)
      if let span = item.span {
        lower = span.lowerBound.secondsSinceEpoch
        upper = span.upperBound.secondsSinceEpoch
      }
      isSettled = item.isSettled
      texts += item.uid.rawValue.utf8
      uidCount = Int32(clamping: item.uid.rawValue.utf8.count)
      let titlesStart = texts.count
      for (number, title) in item.titles.enumerated() {
        if number > 0 { texts.append(Self.titleSeparator) }
        texts += title.utf8
      }
      titlesCount = Int32(clamping: texts.count - titlesStart)
      hasWords = item.words != nil
      texts += item.words ?? []
      wordsCount = Int32(clamping: item.words?.count ?? 0)
    }
  }
}

/// The 32 bytes of the digest in a revision.
struct RevisionBytes: Hashable, Sendable {
  var (first, second, third, fourth): (UInt64, UInt64, UInt64, UInt64)

  init(_ first: UInt64, _ second: UInt64, _ third: UInt64, _ fourth: UInt64) {
    (self.first, self.second, self.third, self.fourth) = (first, second, third, fourth)
  }

  /// Reads the 64 lower-case hexadecimal digits of a revision; nil for any other text.
  init?(_ revision: Revision) {
    let digits = revision.rawValue.utf8.span
    guard digits.count == 64 else { return nil }
    var words = InlineArray<4, UInt64>(repeating: 0)
    for place in 0..<64 {
      guard let value = HexadecimalDigit.value(digits[place]) else { return nil }
      words[place / 16] = words[place / 16] << 4 | UInt64(value)
    }
    self.init(words[0], words[1], words[2], words[3])
  }

  /// The revision.
  var revision: Revision {
    var digits: [UInt8] = []
    digits.reserveCapacity(64)
    for word in [first, second, third, fourth] {
      for shift in stride(from: 60, through: 0, by: -4) {
        digits.append(HexadecimalDigit.character(UInt8(truncatingIfNeeded: word >> shift) & 15))
      }
    }
    return Revision(String(decoding: digits, as: UTF8.self))
  }
}

/// The rows of items by the hashes of their UIDs, which differ in each process.
struct UIDPlaces: Sendable {
  private var first: [Int: Int] = [:]
  /// The other rows with a hash, usually of items with the same UID.
  private var others: [Int: [Int]] = [:]

  init(capacity: Int) { first.reserveCapacity(capacity) }

  static func hash(of uid: borrowing Span<UInt8>) -> Int {
    var hasher = Hasher()
    unsafe uid.withUnsafeBytes { bytes in unsafe hasher.combine(bytes: bytes) }
    return hasher.finalize()
  }

  mutating func insert(_ row: Int, _ hash: Int) {
    if first[hash] == nil { first[hash] = row } else { others[hash, default: []].append(row) }
  }

  mutating func remove(_ row: Int, _ hash: Int) {
    guard first[hash] == row else {
      others[hash]?.removeAll { $0 == row }
      if others[hash]?.isEmpty == true { others[hash] = nil }
      return
    }
    first[hash] = others[hash]?.popLast()
    if others[hash]?.isEmpty == true { others[hash] = nil }
  }

  func rows(with hash: Int) -> [Int] {
    guard let row = first[hash] else { return [] }
    return [row] + (others[hash] ?? [])
  }

  /// The rows whose hashes are the same.
  var groups: [[Int]] { others.map { hash, rows in (first[hash].map { [$0] } ?? []) + rows } }
}

extension Span<UInt8> {
  /// The order of these bytes and others: negative if they come first, 0 if they are the same.
  func compared(to other: Span<UInt8>) -> Int {
    for place in 0..<Swift.min(count, other.count) where self[place] != other[place] {
      return Int(self[place]) - Int(other[place])
    }
    return count - other.count
  }
}
