// SPDX-License-Identifier: Apache-2.0

import CalendarModel
public import CalendarSync
public import CivilTime

/// A folder, or a single file with many items, as a remote.
///
/// It can be a shared drive or the calendar of another program. It uses the protocols of a local
/// calendar, so that both sides of a sync are read and written in the same way.
public struct FolderRemote: Remote {
  private let kind: String
  private let calendar: any LocalCalendar
  /// The appender of the folder, or nil for a file, which must be read before adding to it.
  private let appender: (any LocalAppender)?
  private let now: @Sendable () -> Instant
  private let note: AccessNote?

  /// Creates a remote from a folder's calendar and from an appender for the same folder.
  ///
  /// - Parameters:
  ///   - calendar: The folder, with one item per file.
  ///   - appender: The appender for the folder, which cannot read.
  ///   - now: The clock, for detecting changed files.
  ///   - note: Called before each use of the folder; an error that it throws prevents the use.
  public init(
    calendar: any LocalCalendar, appender: any LocalAppender,
    now: @escaping @Sendable () -> Instant, note: AccessNote? = nil
  ) {
    kind = "folder"
    self.calendar = calendar
    self.appender = appender
    self.now = now
    self.note = note
  }

  /// Creates a remote from a single file with all items.
  ///
  /// - Parameters:
  ///   - file: The calendar of the file.
  ///   - now: The clock, for detecting changes of the file.
  ///   - note: Called before each use of the file; an error that it throws prevents the use.
  public init(
    file: any LocalCalendar, now: @escaping @Sendable () -> Instant, note: AccessNote? = nil
  ) {
    kind = "file"
    calendar = file
    appender = nil
    self.now = now
    self.note = note
  }

  /// The kind, `folder` or `file`, and the path.
  public var identity: RemoteIdentity {
    RemoteIdentity(kind: kind, location: calendar.location)
  }

  /// Opens a folder for adding events, without listing or reading it.
  ///
  /// - Throws: `AccessError.needsFull` for a single file.
  public func openAppender() async throws -> any RemoteAppender {
    guard let appender else {
      throw AccessError.needsFull(
        reason: "\(calendar.location): nothing can be added to a single file without reading it, "
          + "which write-only access does not allow; a folder can be added to")
    }
    return AppendOnlyFolder(folder: appender, note: note)
  }

  /// Opens the folder or file for full access.
  public func openCalendar() async throws -> any RemoteCalendar {
    RemoteFolder(folder: calendar, now: now, note: note)
  }
}

/// A folder under write-only access, without any capability to read.
struct AppendOnlyFolder: RemoteAppender {
  let folder: any LocalAppender
  let note: AccessNote?

  func append(_ item: CalendarItem) async throws -> AppendOutcome {
    try await note?(AccessRequest(.add, "add", of: "item"))
    return try await folder.append(item)
  }
}
