// SPDX-License-Identifier: Apache-2.0

/// The part of a series that an edit affects, modelled on EventKit.
///
/// The original start identifies an occurrence, even if an override has moved it.
public enum EditSpan: Hashable, Sendable {
  /// One occurrence: its override is created or changed (RFC 5545 §3.8.4.4).
  case occurrence(EventTime)
  /// An occurrence and all later ones: the series is split.
  case future(from: EventTime)
  /// All occurrences, or a nonrecurring item.
  case all
}
