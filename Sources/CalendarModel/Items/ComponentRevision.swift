// SPDX-License-Identifier: Apache-2.0

package import ICalSyntax

/// The revision of a component (RFC 5546 §2.1.5); later revisions are greater.
///
/// SEQUENCE is compared first. LAST-MODIFIED and DTSTAMP are compared only if it is equal, because
/// many programs set them to the time of the export instead of the change.
package struct ComponentRevision: Hashable, Sendable, Comparable {
  /// The number of the organizer's significant changes (RFC 5545 §3.8.7.4).
  package let sequence: Int
  private let lastModified: String
  private let stamp: String

  /// Reads the revision of a component; missing or unreadable values count as the earliest.
  package init(of component: Component) {
    sequence = component[.sequence].flatMap { Int($0.rawValue) } ?? 0
    // UTC values have a fixed form, so that their lexicographic order is chronological.
    lastModified = component[.lastModified]?.rawValue ?? ""
    stamp = component[.dtStamp]?.rawValue ?? ""
  }

  /// Whether the left revision is earlier.
  package static func < (left: ComponentRevision, right: ComponentRevision) -> Bool {
    (left.sequence, left.lastModified, left.stamp)
      < (right.sequence, right.lastModified, right.stamp)
  }
}
