// SPDX-License-Identifier: Apache-2.0

/// An error in reading or converting a calendar file.
///
/// Problems in the contents of a file are diagnostics, and no errors.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error, for programs.
  public enum Code: Hashable, Sendable {
    /// The file cannot be read.
    case unreadable
    /// The file contains no calendar.
    case noCalendar
    /// The file is not iCalendar, which the operation needs.
    case otherForm
    /// The file is longer than the operation permits.
    case limit
    /// The file changed while it was read.
    case changed
  }

  /// The kind of error.
  public let code: Code
  /// The path or the name of the file.
  public let path: String
  /// The reason in lower case, without a full stop.
  public let reason: String

  /// Creates an error.
  package init(_ code: Code, _ path: String, _ reason: String) {
    self.code = code
    self.path = path
    self.reason = reason
  }

  /// The path and the reason.
  public var description: String { "\(path): \(reason)" }
}
