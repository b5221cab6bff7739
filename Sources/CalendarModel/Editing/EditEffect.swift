// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// An effect of an edit on a part of the item, besides what the edit is about.
public enum EditEffect: Hashable, Sendable {
  /// The effect on an occurrence of the series, with the original start of the occurrence before the
  /// edit.
  case occurrence(OccurrenceEffect, EventTime)
  /// The removal of a snooze alarm, with its time if it has one (RFC 9074 §7).
  case snoozeRemoved(Instant?)
}

/// The effect of an edit of a series on an occurrence that has an override (RFC 5545 §3.8.4.4) or an
/// exclusion (§3.8.5.1).
///
/// The cases are in the order in which a reply names them.
public enum OccurrenceEffect: Hashable, Sendable, CaseIterable {
  /// The series no longer has the occurrence: its override is removed.
  case overrideRemoved
  /// The series no longer has the occurrence: its exclusion is removed.
  case exclusionRemoved
  /// The override keeps a value of its own although the series, or its later part, gets another one.
  case kept
  /// The override has a start of its own and gets the new length, time zone or alarms of the series,
  /// because it had the earlier ones.
  case followed
  /// The edited part begins with the occurrence: its override gets the change and keeps other values
  /// of its own.
  case revised
  /// The override moves with the series and keeps a length of its own.
  case shifted
  /// The override moves with the series and loses a length of its own, because times become days or
  /// days times.
  case resized
}

extension [EditEffect] {
  /// The original starts of the occurrences with some effects, in the order of these effects.
  package func starts(of kinds: OccurrenceEffect...) -> [EventTime] {
    kinds.flatMap { kind in
      compactMap { effect in
        if case .occurrence(kind, let start) = effect { start } else { nil }
      }
    }
  }
}
