// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
package import CalendarSync
package import CivilTime

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

  /// Creates a summary from its parts.
  package init(uid: UID, kind: ItemKind, span: Range<Instant>?, revision: Revision) {
    self.uid = uid
    self.kind = kind
    self.span = span
    self.revision = revision
  }

  /// Creates the summary of an item that was read.
  package init(_ entry: LocalEntry) {
    self.init(
      uid: entry.item.uid, kind: entry.item.kind, span: entry.item.span, revision: entry.revision)
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
