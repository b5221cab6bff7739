// SPDX-License-Identifier: Apache-2.0

public import CalendarModel

/// The interface of a folder for a write-only sync: it creates a file if the name is free.
///
/// It is a separate port, so that a folder remote under write-only access contains no value that
/// can scan, as a `LocalCalendar` can.
public protocol LocalAppender: Sendable {
  /// Creates the file that `ItemName` derives from the UID, durably, unless it exists already.
  ///
  /// The href of the outcome is the name of the file. The check neither lists nor reads the folder.
  func append(_ item: CalendarItem) async throws -> AppendOutcome
}
