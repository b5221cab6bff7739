// SPDX-License-Identifier: Apache-2.0

/// An error that prevented the use of a file, a folder or the ledger.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of a store error, for programs.
  public struct Code: Hashable, Sendable {
    private enum Value: Hashable, Sendable {
      case notFound, alreadyExists, noAccess, noSpace, notRegular, invalidName, tooLarge, readOnly
      case locked, notCalendar, corrupt, otherSchema, interrupted, failed, diskFailed, replaced
      case disconnected, leaseLost, outcomeUnknown, misconfigured
    }

    private let value: Value

    /// The file or folder does not exist.
    public static let notFound = Code(value: .notFound)
    /// The name is already taken.
    public static let alreadyExists = Code(value: .alreadyExists)
    /// The permissions of the file, the folder or the file system forbid it.
    public static let noAccess = Code(value: .noAccess)
    /// The disk is full, or a quota is used up.
    public static let noSpace = Code(value: .noSpace)
    /// A symbolic link, folder or device was found instead of a regular file, or the reverse.
    public static let notRegular = Code(value: .notRegular)
    /// The name is invalid: it is empty, `.`, `..`, or contains a slash.
    public static let invalidName = Code(value: .invalidName)
    /// The file exceeds the size limit for reading, or that of the file system.
    public static let tooLarge = Code(value: .tooLarge)
    /// The file or calendar was opened for reading only.
    public static let readOnly = Code(value: .readOnly)
    /// Another process is using it.
    public static let locked = Code(value: .locked)
    /// The file is not a calendar, or is truncated.
    public static let notCalendar = Code(value: .notCalendar)
    /// The file is not a ledger, or is damaged.
    public static let corrupt = Code(value: .corrupt)
    /// The ledger was written by another version of the program, and has another schema.
    public static let otherSchema = Code(value: .otherSchema)
    /// A write to the ledger was interrupted, which reading cannot repair.
    public static let interrupted = Code(value: .interrupted)
    /// The disk is read-only, fails, or is gone.
    public static let diskFailed = Code(value: .diskFailed)
    /// The folder is another one than when it was opened, as where a disk was unmounted meanwhile.
    public static let replaced = Code(value: .replaced)
    /// The server of the ledger cannot be reached, or the connection to it was lost.
    public static let disconnected = Code(value: .disconnected)
    /// Another process has taken over the ledger, because this one did not use it for too long.
    public static let leaseLost = Code(value: .leaseLost)
    /// The connection to the server of the ledger was lost during a write, which may be stored.
    public static let outcomeUnknown = Code(value: .outcomeUnknown)
    /// The configuration does not say where the ledger is.
    public static let misconfigured = Code(value: .misconfigured)
    /// Anything else that the system refused.
    public static let failed = Code(value: .failed)
  }

  /// The kind of error.
  public let code: Code
  /// The file or folder.
  public let path: String
  /// The message for people, without the path.
  public let message: String

  /// Creates an error.
  package init(code: Code, path: String, message: String) {
    self.code = code
    self.path = path
    self.message = message
  }

  /// Whether the disk takes no changes now, whatever they are.
  var isOfWholeDisk: Bool { code == .noSpace || code == .diskFailed }

  /// The path and the message.
  public var description: String { "\(path): \(message)" }
}

extension StoreError {
  /// The error of a change to a calendar that was opened for reading.
  static func readOnly(_ path: String) -> StoreError {
    StoreError(code: .readOnly, path: path, message: "opened for reading only")
  }
}
