// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
package import CalendarSync
package import CivilTime
import ICalSyntax

/// The facts about an item that queries need before they read its file.
package struct ItemSummary: Hashable, Sendable {
  /// The UID.
  package let uid: UID
  /// The kind.
  package let kind: ItemKind
  /// The range of time that contains all occurrences; nil if the item has no time.
  package let span: Range<Instant>?
  /// The revision of the file.
  package let revision: Revision
  /// The title, and then the other titles of changed occurrences; never empty.
  package let titles: [String]
  /// The text that a search looks in, in lower case; nil if it is long or not plain ASCII.
  package let words: [UInt8]?
  /// Whether the item is a reminder that is completed or cancelled, and has no relation to others.
  package let isSettled: Bool

  /// Creates a summary from its parts.
  package init(
    uid: UID, kind: ItemKind, span: Range<Instant>?, revision: Revision, titles: [String],
    words: [UInt8]? = nil, isSettled: Bool = false
  ) {
    self.uid = uid
    self.kind = kind
    self.span = span
    self.revision = revision
    self.titles = titles
    self.words = words
    self.isSettled = isSettled
  }

  /// Creates the summary of an item that was read.
  package init(_ entry: LocalEntry) {
    let item = entry.item
    var titles = [item.title]
    for (_, title) in item.occurrenceTitles where !titles.contains(title) { titles.append(title) }
    self.init(
      uid: item.uid, kind: item.kind, span: item.span, revision: entry.revision, titles: titles,
      words: item.searchedWords, isSettled: item.isSettled)
  }
}

extension CalendarItem {
  /// The maximum length of the text that an index has of an item, in bytes.
  private static let wordLimit = 1024

  /// The titles, places and descriptions of all components in lower case, one a line; nil if they are
  /// longer, or not plain ASCII.
  ///
  /// A search reads the items without such a text.
  fileprivate var searchedWords: [UInt8]? {
    var words: [UInt8] = []
    for component in components {
      for name in [PropertyName.summary, .location, .descriptionText] {
        for property in component.properties(named: name) {
          guard property["ENCODING"] == nil else { return nil }
          words += property.text.utf8
          words.append(UInt8(ascii: "\n"))
          guard words.count <= Self.wordLimit else { return nil }
        }
      }
    }
    for place in words.indices {
      switch words[place] {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): words[place] |= 0x20
      case UInt8(ascii: "\n"), UInt8(ascii: "\t"), 0x20..<0x7F: break
      default: return nil
      }
    }
    return words
  }

  /// Whether the item is as ``ItemSummary/isSettled`` says.
  fileprivate var isSettled: Bool {
    guard kind == .reminder, components.count == 1, let main else { return false }
    let reminder = Reminder(main)
    return reminder.statedStatus?.isClosed == true && main[.relatedTo] == nil
  }
}

extension CalendarItem {
  /// The changed occurrences with a title that differs from that of the series.
  package var occurrenceTitles: [(start: EventTime, title: String)] {
    guard components.count > 1, let main else { return [] }
    let title = main[.summary]?.text
    return overrides.compactMap { component in
      guard let own = component[.summary]?.text, own != title, !own.isEmpty,
        let start = Event(component).recurrenceID?.time
      else { return nil }
      return (start, own)
    }
  }
}

extension ItemKind {
  /// The number of the kind in an index; numbers are never reused.
  var indexNumber: UInt8 {
    switch self {
    case .event: 1
    case .reminder: 2
    case .journal: 3
    case .freeBusy: 4
    case .availability: 5
    }
  }

  /// Creates the kind with a number in an index.
  init?(indexNumber: UInt8) {
    guard let kind = Self.allCases.first(where: { $0.indexNumber == indexNumber }) else {
      return nil
    }
    self = kind
  }
}
