// SPDX-License-Identifier: Apache-2.0

/// The order of properties in the canonical form: by name, as numbers.
///
/// ```
/// known names, sorted     ACKNOWLEDGED   ACTION   ATTACH   …   VERSION
/// their ranks                        1        3        5   …       131
/// ranks of other names          0         2        4     …               132
/// ```
///
/// So a file's usual properties are sorted without looking at a name; only other names between the same
/// two known ones, as all that begin with `X-`, have to be compared.
struct CanonicalOrder {
  /// The rank of a line that is no content line: after all others.
  static var malformed: UInt32 { .max }

  /// A property to be written: the rank of its name, and its place.
  struct Entry: BitwiseCopyable {
    private let number: UInt64

    init(rank: UInt32, index: Int) {
      number = UInt64(rank) << 32 | UInt64(truncatingIfNeeded: index)
    }

    /// The place of the property among those of its component.
    var index: Int { Int(truncatingIfNeeded: number & 0xFFFF_FFFF) }

    private var rank: UInt32 { UInt32(truncatingIfNeeded: number >> 32) }

    /// Whether names have to be compared, because the ranks do not tell.
    @inline(__always)
    private func isUndecided(_ other: Entry) -> Bool {
      rank == other.rank && rank & 1 == 0
    }

    /// Whether it comes before another one: by name, then by place.
    @inline(__always)
    func precedes(_ other: Entry, _ compareNames: (Int, Int) -> Int) -> Bool {
      guard isUndecided(other) else { return number < other.number }
      let order = compareNames(index, other.index)
      return order != 0 ? order < 0 : number < other.number
    }

    /// Whether both have the same name; lines that are no content lines have none.
    @inline(__always)
    func hasSameName(as other: Entry, _ compareNames: (Int, Int) -> Int) -> Bool {
      guard rank == other.rank, rank != CanonicalOrder.malformed else { return false }
      return rank & 1 != 0 || compareNames(index, other.index) == 0
    }
  }

  /// The ranks of the known names, in the order of `PropertyTable`.
  private let ranks: [UInt32]
  /// The known names, sorted, and their keys.
  private let names: [String]
  private let keys: [CanonicalKey]

  /// The order of all properties.
  static let all = CanonicalOrder()

  private init() {
    names = PropertyTable.rows.map(\.name).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    keys = names.map { CanonicalKey($0.utf8.span, at: 0, count: $0.utf8.count) }
    var ranks = [UInt32](repeating: 0, count: names.count)
    for (place, name) in names.enumerated() {
      if let index = PropertyVocabulary.table.index(of: name.utf8.span) {
        ranks[index] = UInt32(2 * place + 1)
      }
    }
    self.ranks = ranks
  }

  /// Notes the ranks and the places of the properties that records describe.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - file: The bytes that the text of most lines lies in.
  ///   - arena: The bytes that the text of folded lines lies in.
  ///   - entries: What is filled, from the first one on.
  func rank(
    _ records: Span<LineRecord>, _ file: Span<UInt8>, _ arena: Span<UInt8>,
    into entries: inout [Entry]
  ) {
    var filled = entries.mutableSpan
    for index in records.indices {
      let record = records[index]
      let rank = rank(of: record, in: record.isFolded ? arena : file)
      filled[index] = Entry(rank: rank, index: index)
    }
  }

  /// The rank of the name of a line.
  @inline(__always)
  private func rank(of record: LineRecord, in text: Span<UInt8>) -> UInt32 {
    if let name = record.nameIndex { return ranks[name] }
    guard record.nameLength > 0 else { return Self.malformed }
    return rank(in: text, from: Int(record.textStart), count: Int(record.nameLength))
  }

  private func rank(in text: Span<UInt8>, from start: Int, count: Int) -> UInt32 {
    let key = CanonicalKey(text, at: start, count: count)
    // Most of these names begin with `X-`, which no known name does.
    guard let last = keys.last, !(last < key) else { return UInt32(2 * keys.count) }
    var low = 0
    var high = keys.count
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] < key { low = middle + 1 } else { high = middle }
    }
    while low < keys.count, keys[low] == key {
      let name = names[low].utf8.span
      guard CanonicalKey.compare(name, name.indices, text, start..<(start + count)) < 0 else {
        break
      }
      low += 1
    }
    return UInt32(2 * low)
  }
}
