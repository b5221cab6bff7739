// SPDX-License-Identifier: Apache-2.0

public import CalendarSync

/// Opens local calendars: a path that ends in `.ics` is a file, any other path is a folder.
public enum LocalCalendars {
  /// The purpose for which a calendar is opened.
  public enum Purpose: Hashable, Sendable {
    /// Nothing is written, leftover temporary files are kept, and every change is refused.
    case reading
    /// The folder must exist: a missing folder may be on a disk that is not mounted.
    case writing
    /// A missing folder is created with its parents.
    case creating
  }

  /// Opens a calendar.
  ///
  /// - Returns: A `FileCalendar` or a `FolderCalendar`.
  /// - Throws: `StoreError`; a missing file is an empty calendar instead of an error.
  public static func open(
    path: String, for purpose: Purpose
  ) throws(StoreError) -> any LocalCalendar {
    if hasItemEnding(path) {
      try FileCalendar(path: path, for: purpose)
    } else {
      try FolderCalendar(path: path, for: purpose)
    }
  }

  /// Whether a name ends in `.ics`, in any case, because an overlooked file would look deleted.
  static func hasItemEnding(_ name: String) -> Bool {
    let ending = name.utf8.suffix(4)
    guard ending.count == 4 else { return false }
    // This sets the bit of lowercase letters, which a full stop already has.
    return zip(ending, ".ics".utf8).allSatisfy { $0 | 0x20 == $1 }
  }
}
