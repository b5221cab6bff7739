// SPDX-License-Identifier: Apache-2.0

public import CalendarSync

/// A folder as the other side of a sync: a shared drive, or a calendar of another program.
///
/// It is made from the ports of a local calendar, so that folders are read and written in one way.
public struct FolderRemote: Remote {
  private let calendar: any LocalCalendar
  private let appender: any LocalAppender
  private let note: AccessNote?

  /// Creates a remote from a folder's calendar, and from what adds to the same folder.
  ///
  /// - Parameters:
  ///   - calendar: Reads and writes the folder.
  ///   - appender: Adds to the folder.
  ///   - note: Called before each use of the folder; what it throws, stops it.
  public init(
    calendar: any LocalCalendar, appender: any LocalAppender, note: AccessNote? = nil
  ) {
    self.calendar = calendar
    self.appender = appender
    self.note = note
  }

  /// The kind `folder` and the path.
  public var identity: RemoteIdentity {
    RemoteIdentity(kind: "folder", location: calendar.location)
  }

  /// Opens the folder for adding events; nothing in it is listed or read.
  public func openAppender() async throws -> any RemoteAppender {
    AppendOnlyFolder(folder: appender, note: note)
  }

  /// Opens the folder for everything.
  public func openCalendar() async throws -> any RemoteCalendar {
    RemoteFolder(folder: calendar, note: note)
  }
}
