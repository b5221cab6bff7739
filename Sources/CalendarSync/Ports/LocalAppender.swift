// SPDX-License-Identifier: Apache-2.0

public import CalendarModel

/// What a folder offers to a write-only sync: a file is made if there is none of that name.
///
/// It is a port of its own so that a folder remote under write-only access holds nothing that scans:
/// a `LocalCalendar` could.
public protocol LocalAppender: Sendable {
  /// Makes the file that `ItemName` gives for the item's UID, durably, unless there is one already.
  ///
  /// The href of the outcome is the name of the file. Nothing is listed or read to find out.
  func append(_ item: CalendarItem) async throws -> AppendOutcome
}
