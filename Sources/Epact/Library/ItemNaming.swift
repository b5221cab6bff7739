// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICUServices

/// The texts that name an item.
enum ItemNaming {
  /// The maximum number of digits of a number in a list.
  private static let longestNumber = 4
  /// The minimum length of the beginning of a UID that is preferred to a word of a title.
  private static let shortestUID = 8
  /// The number of ranks.
  private static let rankCount = 5

  /// The closeness of a text to an item, from 0 for its UID to 4; nil if it does not name the item.
  private static func rank(of text: String, _ uid: UID, _ title: String) -> Int? {
    if uid == UID(text) { return 0 }
    let (folded, title) = (text.lowercased(), title.lowercased())
    // Of two UIDs that differ only in their normalization, the one with the same bytes is meant.
    if uid.rawValue == text || title == folded { return 1 }
    // A number that is not in the list any more must not name another item.
    if text.utf8.count <= longestNumber, Int(text) != nil { return nil }
    let isUID = uid.rawValue.lowercased().hasPrefix(folded)
    if title.hasPrefix(folded) || isUID && text.count >= shortestUID { return 2 }
    let words = title.split { !$0.isLetter && !$0.isNumber }
    // The first letters of a random UID may be a word by chance.
    return words.contains { $0.hasPrefix(folded) } ? 3 : isUID ? 4 : nil
  }

  /// The elements that a text names most closely; empty if it names none.
  ///
  /// If the letters as they are written name none, accents are ignored as in a search: `muller`
  /// names "Müller".
  static func closest<Element>(
    to text: String, among elements: [Element], _ names: (Element) -> (UID, String)
  ) -> [Element] {
    var ranks = Array(repeating: [Element](), count: rankCount)
    for element in elements {
      let (uid, title) = names(element)
      if let rank = rank(of: text, uid, title) { ranks[rank].append(element) }
    }
    if let found = ranks.first(where: { !$0.isEmpty }) { return found }
    guard !text.isEmpty, let collation = try? TextCollation(locale: "", strength: .letters) else {
      return []
    }
    ranks = Array(repeating: [], count: rankCount)
    for element in elements {
      let title = names(element).1
      if let rank = foldedRank(of: text, title, collation) { ranks[rank].append(element) }
    }
    return ranks.first { !$0.isEmpty } ?? []
  }

  /// A condition that the bytes of a UID or of titles fulfil if a text may name the item by them.
  ///
  /// It is a quick answer for most names: one beyond ASCII may contain any text.
  static func filter(for text: String) -> (Span<UInt8>) -> Bool {
    let folded = text.utf8.allSatisfy { $0 < 0x80 } ? Array(text.lowercased().utf8) : []
    return { mayContain($0, folded.span) }
  }

  private static func mayContain(_ bytes: Span<UInt8>, _ folded: Span<UInt8>) -> Bool {
    guard !folded.isEmpty else { return true }
    for index in bytes.indices {
      guard bytes[index] < 0x80 else { return true }
      var (place, length) = (index, 0)
      while length < folded.count, place < bytes.count {
        let byte = bytes[place]
        let isUpper = UInt8(ascii: "A") <= byte && byte <= UInt8(ascii: "Z")
        guard (isUpper ? byte | 0x20 : byte) == folded[length] else { break }
        (length, place) = (length + 1, place + 1)
      }
      if length == folded.count { return true }
    }
    return false
  }

  /// The closeness of a text to a title without regard to accents; nil if it does not name it.
  private static func foldedRank(
    of text: String, _ title: String, _ collation: borrowing TextCollation
  ) -> Int? {
    // Only a text beyond ASCII has accents.
    guard !text.utf8.allSatisfy({ $0 < 0x80 }) || !title.utf8.allSatisfy({ $0 < 0x80 }) else {
      return nil
    }
    guard let range = try? collation.range(of: text, in: title) else { return nil }
    if range.lowerBound == 0 { return range.upperBound == title.utf8.count ? 1 : 2 }
    for word in title.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
      if let range = try? collation.range(of: text, in: String(title[word.startIndex...])),
        range.lowerBound == 0
      {
        return 3
      }
    }
    return nil
  }
}
