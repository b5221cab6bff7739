// SPDX-License-Identifier: Apache-2.0

public import CalendarSync

/// Opens local calendars: a path that ends in `.ics` is a file, any other one a folder of files.
public enum LocalCalendars {
  /// What a calendar is opened for.
  public enum Purpose: Hashable, Sendable {
    /// Nothing at all is written, left-over temporary files stay, and every change is refused.
    case reading
    /// A folder has to exist: that it is gone may mean a disk that is not mounted.
    case writing
    /// A folder that does not exist is made, with the folders above it.
    case creating
  }

  /// Opens a calendar.
  ///
  /// - Returns: A `FileCalendar` or a `FolderCalendar`.
  /// - Throws: `StoreError`; a file that does not exist is no error but an empty calendar.
  public static func open(
    path: String, for purpose: Purpose
  ) throws(StoreError) -> any LocalCalendar {
    if hasItemEnding(path) {
      try FileCalendar(path: path, for: purpose)
    } else {
      try FolderCalendar(path: path, for: purpose)
    }
  }

  /// Whether a name ends in `.ics`; in any case, because a file that is overlooked looks deleted.
  static func hasItemEnding(_ name: String) -> Bool {
    let ending = name.utf8.suffix(4)
    guard ending.count == 4 else { return false }
    // Sets the bit that tells lower case from upper case; a full stop has it already.
    return zip(ending, ".ics".utf8).allSatisfy { $0 | 0x20 == $1 }
  }
}

extension StoreError {
  /// The error of a change that is asked of a calendar which was opened for reading.
  static func readOnly(_ path: String) -> StoreError {
    StoreError(code: .readOnly, path: path, message: "opened for reading, and so not changed")
  }
}
