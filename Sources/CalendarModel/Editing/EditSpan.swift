// SPDX-License-Identifier: Apache-2.0

/// How much of a series an edit is about, as EventKit has it.
///
/// An occurrence is known by when it would start by the rule, also if an override has moved it.
public enum EditSpan: Hashable, Sendable {
  /// This occurrence alone: an override is made or changed (RFC 5545 §3.8.4.4).
  case occurrence(EventTime)
  /// This occurrence and all later ones: the series is split in two.
  case future(from: EventTime)
  /// All occurrences, or an item that does not recur.
  case all
}
