// SPDX-License-Identifier: Apache-2.0

/// Why a file, a folder or the ledger could not be used.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of a store error, for programs.
  public struct Code: Hashable, Sendable {
    private enum Value: Hashable, Sendable {
      case notFound, alreadyExists, noAccess, noSpace, notRegular, invalidName, tooLarge, readOnly
      case locked, notCalendar, corrupt, newerSchema, interrupted, failed, diskFailed, replaced
    }

    private let value: Value

    /// There is no such file or folder.
    public static let notFound = Code(value: .notFound)
    /// There is something of that name already.
    public static let alreadyExists = Code(value: .alreadyExists)
    /// The permissions of the file, the folder or the file system forbid it.
    public static let noAccess = Code(value: .noAccess)
    /// The disk is full, or a quota is used up.
    public static let noSpace = Code(value: .noSpace)
    /// It is a symbolic link, a folder or a device where a plain file was expected, or the reverse.
    public static let notRegular = Code(value: .notRegular)
    /// The name has no place in a folder: it is empty, `.`, `..`, or holds a slash.
    public static let invalidName = Code(value: .invalidName)
    /// The file is larger than what is read, or than a file may be.
    public static let tooLarge = Code(value: .tooLarge)
    /// It was opened for reading only.
    public static let readOnly = Code(value: .readOnly)
    /// Another process is using it.
    public static let locked = Code(value: .locked)
    /// The file is not a calendar, or not all of one.
    public static let notCalendar = Code(value: .notCalendar)
    /// The ledger is damaged, or is no ledger.
    public static let corrupt = Code(value: .corrupt)
    /// The ledger was written by a newer version of the program.
    public static let newerSchema = Code(value: .newerSchema)
    /// The ledger was left in the middle of a write and may not be repaired by reading.
    public static let interrupted = Code(value: .interrupted)
    /// The disk is read-only, fails, or is gone.
    public static let diskFailed = Code(value: .diskFailed)
    /// The folder is another one than when it was opened, as where a disk was unmounted meanwhile.
    public static let replaced = Code(value: .replaced)
    /// Anything else that the system refused.
    public static let failed = Code(value: .failed)
  }

  /// What kind of error it is.
  public let code: Code
  /// The file or folder that it is about.
  public let path: String
  /// What is wrong, for people; it does not repeat the path.
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
