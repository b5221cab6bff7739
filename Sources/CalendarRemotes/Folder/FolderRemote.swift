// SPDX-License-Identifier: Apache-2.0

public import CalendarSync
public import CivilTime

/// A folder, or a file of many items, as the other side of a sync: a shared drive, or the calendar of
/// another program.
///
/// It is made from the ports of a local calendar, so that both sides are read and written in one way.
public struct FolderRemote: Remote {
  private let kind: String
  private let calendar: any LocalCalendar
  /// What adds to a folder; nil for a file, which cannot be added to without being read.
  private let appender: (any LocalAppender)?
  private let now: @Sendable () -> Instant
  private let note: AccessNote?

  /// Creates a remote from a folder's calendar, and from what adds to the same folder.
  ///
  /// - Parameters:
  ///   - calendar: The folder, with one item a file.
  ///   - appender: What adds to the folder and does nothing else.
  ///   - now: The clock, for telling which files changed.
  ///   - note: Called before each use of the folder; what it throws, stops it.
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

  /// Creates a remote from a single file that holds all items.
  ///
  /// - Parameters:
  ///   - file: The calendar of the file.
  ///   - now: The clock, for telling whether the file changed.
  ///   - note: Called before each use of the file; what it throws, stops it.
  public init(
    file: any LocalCalendar, now: @escaping @Sendable () -> Instant, note: AccessNote? = nil
  ) {
    kind = "file"
    calendar = file
    appender = nil
    self.now = now
    self.note = note
  }

  /// The kind `folder` or `file`, and the path.
  public var identity: RemoteIdentity {
    RemoteIdentity(kind: kind, location: calendar.location)
  }

  /// Opens a folder for adding events; nothing in it is listed or read.
  ///
  /// - Throws: `AccessError` with the code `needsFull` for a single file.
  public func openAppender() async throws -> any RemoteAppender {
    guard let appender else {
      throw AccessError(
        code: .needsFull,
        message: "\(calendar.location): nothing can be added to a single file without reading it, "
          + "which write-only access does not allow; a folder can be added to")
    }
    return AppendOnlyFolder(folder: appender, note: note)
  }

  /// Opens the folder or the file for everything.
  public func openCalendar() async throws -> any RemoteCalendar {
    RemoteFolder(folder: calendar, now: now, note: note)
  }
}
