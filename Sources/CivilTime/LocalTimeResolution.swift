// SPDX-License-Identifier: Apache-2.0

/// The UTC offsets that a wall-clock time can have in a zone.
///
/// ``offset`` is the one place that decides how nonexistent and ambiguous times are read.
public enum LocalTimeResolution: Hashable, Sendable {
  /// The time occurs once.
  case unique(UTCOffset)
  /// The time does not exist: a forward transition skips it.
  case gap(before: UTCOffset, after: UTCOffset)
  /// The time is ambiguous: it occurs before and after a backward transition.
  case fold(first: UTCOffset, second: UTCOffset)

  /// The offset that iCalendar uses (RFC 5545 §3.3.5).
  ///
  /// A time in a gap uses the offset before the gap, so that 02:30 becomes 03:30. A time in a fold
  /// means its first occurrence.
  public var offset: UTCOffset {
    switch self {
    case .unique(let offset): offset
    case .gap(let before, _): before
    case .fold(let first, _): first
    }
  }
}
