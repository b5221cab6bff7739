// SPDX-License-Identifier: Apache-2.0

/// Which offsets a wall clock's time can have in a zone.
///
/// This is the one place that says what becomes of a time that does not exist or exists twice; the
/// choice is ``offset``.
public enum LocalTimeResolution: Hashable, Sendable {
  /// The clocks show the time once.
  case unique(UTCOffset)
  /// The clocks were put forward over the time and never show it.
  case gap(before: UTCOffset, after: UTCOffset)
  /// The clocks were put back over the time and show it more than once.
  case fold(first: UTCOffset, second: UTCOffset)

  /// The offset that iCalendar chooses (RFC 5545 §3.3.5).
  ///
  /// A time in a gap is read with the offset before the gap, so that 02:30 becomes 03:30; a time in a
  /// fold is the first of the two.
  public var offset: UTCOffset {
    switch self {
    case .unique(let offset): offset
    case .gap(let before, _): before
    case .fold(let first, _): first
    }
  }
}
