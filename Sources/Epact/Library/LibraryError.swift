// SPDX-License-Identifier: Apache-2.0

import CalendarStore

/// The reason why calendars could not be read or edited.
public struct LibraryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of an error, for programs.
  public struct Code: Hashable, Sendable {
    private enum Value: Hashable, Sendable {
      case changedMeanwhile, readOnly, noCalendar, wrongKind, unsupported, invalid, configuration
      case unavailable, interrupted, failed
    }

    private let value: Value

    /// An item, a calendar or the configuration is not as it was when it was read.
    public static let changedMeanwhile = Code(value: .changedMeanwhile)
    /// The calendar is a feed, or the system does not allow changes of it.
    public static let readOnly = Code(value: .readOnly)
    /// There is no such calendar.
    public static let noCalendar = Code(value: .noCalendar)
    /// The calendar does not accept new items of the kind.
    public static let wrongKind = Code(value: .wrongKind)
    /// The change is not possible for a calendar of this kind or source.
    public static let unsupported = Code(value: .unsupported)
    /// A value is invalid, such as a color that is not `#RRGGBB`.
    public static let invalid = Code(value: .invalid)
    /// The configuration is invalid, or it is not trusted or not writable.
    public static let configuration = Code(value: .configuration)
    /// A disk or a folder is not available or full; a later attempt may succeed.
    public static let unavailable = Code(value: .unavailable)
    /// The task was cancelled.
    public static let interrupted = Code(value: .interrupted)
    /// Anything else that the system refused.
    public static let failed = Code(value: .failed)
  }

  /// The kind of error.
  public let code: Code
  /// The identifier or name of the calendar, the UID of the item, or the path; nil if unknown.
  public let subject: String?
  /// The message in lower case, without a full stop.
  public let message: String

  /// Creates an error.
  public init(_ code: Code, subject: String? = nil, _ message: String) {
    self.code = code
    self.subject = subject
    self.message = message
  }

  /// The message.
  public var description: String { message }
}

extension LibraryError {
  /// Creates an error from one of the layers below.
  init(describing error: any Error, subject: String? = nil) {
    switch error {
    case let error as LibraryError: self = error
    case is CancellationError: self.init(.interrupted, subject: subject, "interrupted")
    case let error as StoreError:
      self.init(Self.code(of: error.code), subject: subject ?? error.path, "\(error)")
    case let error as BatchError:
      self.init(
        error.cause.map { Self.code(of: $0.code) } ?? Self.code(of: error.code),
        subject: subject ?? error.path, "\(error)")
    case is ConfigurationError, is EpactError:
      let error = EpactError(describing: error)
      let code: Code = error.code == .configuration ? .configuration : .failed
      self.init(code, subject: error.subject ?? subject, error.description)
    default: self.init(.failed, subject: subject, String(describing: error))
    }
  }

  private static func code(of code: StoreError.Code) -> Code {
    switch code {
    case .notFound: .noCalendar
    case .misconfigured: .configuration
    case .noAccess, .readOnly: .readOnly
    case .noSpace, .diskFailed, .locked, .replaced, .interrupted, .disconnected, .leaseLost,
      .outcomeUnknown:
      .unavailable
    default: .failed
    }
  }

  private static func code(of code: BatchError.Code) -> Code {
    switch code {
    case .conditionFailed: .changedMeanwhile
    case .unavailable, .unfinished: .unavailable
    default: .failed
    }
  }

  /// Calls `body` and throws its errors as errors of the library.
  static func describing<Result>(
    _ subject: String? = nil, _ body: () throws -> Result
  ) throws(LibraryError) -> Result {
    do {
      return try body()
    } catch {
      throw LibraryError(describing: error, subject: subject)
    }
  }
}
