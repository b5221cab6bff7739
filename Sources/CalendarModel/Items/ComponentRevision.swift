// SPDX-License-Identifier: Apache-2.0

package import ICalSyntax

/// Which version of a UID a component is (RFC 5546 §2.1.5): the later one is the greater.
///
/// SEQUENCE decides; only between equals do LAST-MODIFIED and DTSTAMP, which many programs set to
/// the time of the export and not of the change.
package struct ComponentRevision: Hashable, Sendable, Comparable {
  /// How often the organizer made a significant change (RFC 5545 §3.8.7.4).
  package let sequence: Int
  private let lastModified: String
  private let stamp: String

  /// Reads the revision of a component; what is missing or unreadable counts as the earliest.
  package init(of component: Component) {
    sequence = component[.sequence].flatMap { Int($0.rawValue) } ?? 0
    // UTC values of one form: the order of their letters is the order of time.
    lastModified = component[.lastModified]?.rawValue ?? ""
    stamp = component[.dtStamp]?.rawValue ?? ""
  }

  /// Whether the left revision is the earlier one.
  package static func < (left: ComponentRevision, right: ComponentRevision) -> Bool {
    (left.sequence, left.lastModified, left.stamp)
      < (right.sequence, right.lastModified, right.stamp)
  }
}
