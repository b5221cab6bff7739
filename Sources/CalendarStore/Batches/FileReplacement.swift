// SPDX-License-Identifier: Apache-2.0

public import CalendarSync

/// A file to create, replace or remove, on the condition that it is unchanged.
///
/// | `expected` | `contents` | the file is |
/// |---|---|---|
/// | nil | bytes | created |
/// | a revision | bytes | replaced |
/// | a revision | nil | removed |
/// | nil | nil | only required not to exist |
public struct FileReplacement: Hashable, Sendable {
  /// The path of the file, whose folder must exist.
  public var path: String
  /// The revision that the file must have; nil if it must not exist.
  public var expected: Revision?
  /// The new bytes; nil to remove the file.
  public var contents: [UInt8]?

  /// Creates a replacement.
  public init(path: String, expected: Revision?, contents: [UInt8]?) {
    self.path = path
    self.expected = expected
    self.contents = contents
  }

  /// The revision of the file after the replacement; nil if it is removed.
  public var revision: Revision? { contents.map { Revision(of: $0) } }
}

/// The error of a batch, none of whose replacements took effect unless the code says otherwise.
public struct BatchError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of a batch error, for programs.
  public struct Code: Hashable, Sendable {
    private enum Value: Hashable, Sendable {
      case conditionFailed, invalid, unavailable, unfinished
    }

    private let value: Value

    /// A file is not as expected: another program changed, created or removed it.
    public static let conditionFailed = Code(value: .conditionFailed)
    /// The batch is contradictory, such as two replacements of one file.
    public static let invalid = Code(value: .invalid)
    /// The system refused: `cause` has the reason.
    public static let unavailable = Code(value: .unavailable)
    /// The system refused, and restoring the old files failed too.
    ///
    /// Some files may have their new contents. `FileBatch.recover()` completes the restoration.
    public static let unfinished = Code(value: .unfinished)
  }

  /// The kind of error.
  public let code: Code
  /// The file or folder.
  public let path: String
  /// The message for people, without the path.
  public let message: String
  /// The refusal of the system, if there was one.
  public let cause: StoreError?

  init(code: Code, path: String, message: String, cause: StoreError? = nil) {
    self.code = code
    self.path = path
    self.message = message
    self.cause = cause
  }

  init(_ cause: StoreError) {
    self.init(code: .unavailable, path: cause.path, message: cause.message, cause: cause)
  }

  /// Whether no part of the batch can be made: a failed restoration waits, or another folder is at the
  /// path of the calendar.
  var concernsAll: Bool {
    if let cause, cause.code == .replaced { return true }
    return code == .unfinished
  }

  /// The refusal of the system, or else the message.
  package var reason: String { cause?.description ?? message }

  /// The path and the message.
  public var description: String { "\(path): \(message)" }

  static func conditionFailed(_ path: String) -> BatchError {
    BatchError(
      code: .conditionFailed, path: path, message: "another program changed the file meanwhile")
  }

  /// Runs a function, and converts its error.
  static func converting<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(BatchError) -> Result {
    do throws(StoreError) {
      return try body()
    } catch {
      throw BatchError(error)
    }
  }
}
