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

  /// Creates a summary from its parts.
  package init(
    uid: UID, kind: ItemKind, span: Range<Instant>?, revision: Revision, titles: [String]
  ) {
    self.uid = uid
    self.kind = kind
    self.span = span
    self.revision = revision
    self.titles = titles
  }

  /// Creates the summary of an item that was read.
  package init(_ entry: LocalEntry) {
    let item = entry.item
    var titles = [item.title]
    for (_, title) in item.occurrenceTitles where !titles.contains(title) { titles.append(title) }
    self.init(
      uid: item.uid, kind: item.kind, span: item.span, revision: entry.revision, titles: titles)
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
