// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// The revision by which scheduling messages are ordered (RFC 5546 §2.1.5): SEQUENCE, then DTSTAMP.
///
/// Unlike `ComponentRevision` it ignores LAST-MODIFIED, which no message is ordered by. Two
/// revisions of which one has no DTSTAMP are ordered by SEQUENCE alone.
public struct SchedulingRevision: Hashable, Sendable, CustomStringConvertible {
  /// The number of significant changes by the organizer (RFC 5545 §3.8.7.4).
  public let sequence: Int
  /// The time of the message in the form of RFC 5545 §3.3.5; empty if there is none.
  public let stamp: String

  /// Creates a revision.
  public init(sequence: Int, stamp: String) {
    self.sequence = sequence
    self.stamp = stamp
  }

  /// Reads the revision of a component; a SEQUENCE that is missing or unreadable is 0.
  init(of component: Component) {
    self.init(sequence: component[.sequence], stamp: component[.dtStamp])
  }

  init(sequence: Property?, stamp: Property?) {
    self.sequence = sequence.flatMap { $0.usualInteger ?? Int($0.rawValue) } ?? 0
    self.stamp = stamp?.rawValue ?? ""
  }

  /// Reads the description of a revision.
  init?(parsing text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let sequence = Int(parts[0]) else { return nil }
    self.init(sequence: sequence, stamp: String(parts[1]))
  }

  /// The SEQUENCE and the DTSTAMP, with a slash between them.
  public var description: String { "\(sequence)/\(stamp)" }

  /// Whether this revision came before another one.
  public func isEarlier(than other: SchedulingRevision) -> Bool {
    guard sequence == other.sequence else { return sequence < other.sequence }
    // UTC values of one form: the order of their letters is the order of time.
    return !stamp.isEmpty && !other.stamp.isEmpty && stamp < other.stamp
  }

  /// Whether both have the same SEQUENCE and the same DTSTAMP.
  func isSame(as other: SchedulingRevision) -> Bool { self == other && !stamp.isEmpty }
}
