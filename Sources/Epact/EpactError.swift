// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import CalendarLanguage
import CalendarModel
import CalendarRemotes
import CalendarStore
public import CalendarSync
import ICUServices

/// An error of the front: a configuration, a grant, a file or a sync that cannot be used.
///
/// Programs decide by the ``code``, and show the ``message`` to people. The message names no
/// command; ``remedy`` holds what a program can offer instead.
///
/// ```swift
/// do {
///   let configuration = try ConfigurationFile(machine: .live()).load()
/// } catch let error as EpactError where error.code == .configuration {
///   print(error.message)
/// }
/// ```
///
/// Errors of the layers below, such as `StoreError` and `RemoteError`, are passed on unchanged.
public struct EpactError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error, for programs.
  public struct Code: Hashable, Sendable {
    private enum Value {
      case configuration, argument, failed, partlyFailed, undecided, noAccess, unavailable
      case interrupted
    }

    private let value: Value

    /// The configuration, or a file that it names, is missing, invalid or not trusted.
    public static let configuration = Code(value: .configuration)
    /// An argument of the caller is invalid.
    public static let argument = Code(value: .argument)
    /// The operation failed, and would fail again.
    public static let failed = Code(value: .failed)
    /// Some items failed, the others succeeded.
    public static let partlyFailed = Code(value: .partlyFailed)
    /// The user made no choice, so that a conflict is still pending.
    public static let undecided = Code(value: .undecided)
    /// Access was not granted, or credentials are missing.
    public static let noAccess = Code(value: .noAccess)
    /// Something is locked, changed concurrently or is out of reach; a later attempt may succeed.
    public static let unavailable = Code(value: .unavailable)
    /// The operation was cancelled; what is done stays done.
    public static let interrupted = Code(value: .interrupted)
  }

  /// An action of the user or the caller that may remove the cause of an error.
  public enum Remedy: Hashable, Sendable {
    /// Withdraw the permissions of other users on the file at this path.
    case makePrivate(path: String)
    /// Withdraw all permissions of other users on the file or folder at this path.
    case withdrawAccess(path: String)
    /// Withdraw the write permission of other users on the file or folder at this path.
    case withdrawWriting(path: String)
    /// Use a copy of the file at this path that belongs to the user.
    case takeOwnership(path: String)
    /// Create the folder at this path.
    case makeFolder(path: String)
    /// Give a path instead of the name of a calendar.
    case usePath(name: String)
    /// Grant a tier of access to a remote.
    case grant(AccessTier, remote: String)
    /// Grant a tier of access to a remote to which access was denied.
    case changeAnswer(AccessTier, remote: String)
    /// Sign in to a remote.
    case signIn(remote: String)
    /// Confirm a higher tier of access to a remote than before.
    case confirmGrant(AccessTier, remote: String, purpose: String)
    /// Confirm a higher tier of access of a program than before.
    case confirmProgram(AccessTier, ProgramEntity, program: String, purpose: String)
    /// Request no higher tier of access than this one.
    case lowerAccess(AccessTier)
    /// Use the password in the existing file at this path.
    case usePasswordFile(path: String)
    /// Keep the password in a private file instead of another place.
    case keepPasswordInFile
    /// State what access is for, and why.
    case statePurpose
    /// Check the calendar at this path.
    case check(path: String)
    /// Schedule with cron instead of systemd.
    case scheduleWithCron
    /// Trust the certificate of the server.
    case trustCertificate
    /// Give the whole UID, and the name of the sync if several syncs have the item.
    case completeUID
    /// List the runs that are stored.
    case listRuns
    /// Choose a run of the history by its number.
    case chooseRun
    /// Undo the change before this one of a calendar, which cannot be undone; the flag states whether
    /// the calendar is still configured.
    case undoEarlier(CalendarChange, isThere: Bool)
    /// Restore a sync's items although its calendar is missing or elsewhere.
    case restoreInNewPlace(sync: String)
    /// Add calendars, remotes or syncs to the configuration.
    case configure
    /// Convert the file at this path to iCalendar.
    case convert(path: String)
    /// Create a calendar of an account again on the side that lacks it, or remove it everywhere.
    case recreateCalendar(String)
    /// Run a sync.
    case sync(String)
    /// Copy the file of the ledger into the database.
    case copyLedger
    /// List the calendars of an account's sync on both sides.
    case listCalendars(sync: String)
    /// Create a calendar in the folder of an account's sync.
    case createCalendar(String, sync: String)
    /// Name the calendar, or configure a default with this key.
    case chooseCalendar(key: String)
    /// Name the attendee who is the user, or configure the user's addresses.
    case identifyUser
    /// Apply a message that cannot be answered to the calendar.
    case applyMessage(file: String)
    /// Confirm a message in spite of its sender or its organizer.
    case confirmSender
    /// Grant access without a question, in the same call.
    case grantWithoutQuestion
    /// Leave the answer to the server of this sync.
    case leaveAnswer(sync: String)
    /// Set a password of the page in the browser.
    case setPagePassword
    /// Exchange files with a service that has no interface; the flag states whether it also publishes
    /// a calendar as a feed.
    case exchangeFiles(sharesLinks: Bool)
    /// Another action, as a sentence.
    case other(String)
  }

  /// The kind of error.
  public let code: Code
  /// The message in lower case, without a full stop.
  public let message: String
  /// Further problems of the same kind, such as those of other lines of a configuration.
  public let details: [String]
  /// The path, the name or the address that the error concerns; nil if the message has none.
  public let subject: String?
  /// An action that may remove the cause of the error; nil if none is known.
  public let remedy: Remedy?

  /// Creates an error.
  public init(
    _ code: Code, _ message: String, details: [String] = [], subject: String? = nil,
    remedy: Remedy? = nil
  ) {
    self.code = code
    self.message = message
    self.details = details
    self.subject = subject
    self.remedy = remedy
  }

  /// The message with a line for each detail, escaped for a terminal.
  package var text: String {
    ([message] + details).map(SafeText.escaped).joined(separator: "\n       ")
  }

  /// The message and the details.
  public var description: String { ([message] + details).joined(separator: "; ") }

  /// The error for a name that a configuration or a file does not contain.
  ///
  /// - Parameters:
  ///   - name: The unknown name.
  ///   - what: What the name should denote, such as `calendar`.
  ///   - place: The place that lacks the name, such as `the configuration`.
  ///   - known: The known names, of which the nearest one is suggested.
  ///   - remedy: What the user can do instead.
  /// - Returns: The error.
  package static func unknown(
    _ name: String, what: String, in place: String = "the configuration",
    known: some Collection<String>, remedy: Remedy? = nil
  ) -> EpactError {
    let near = Suggestion.nearest(to: name, among: known)
    let hint = near.map { "; did you mean \"\($0)\"?" } ?? ""
    return EpactError(
      .configuration, "there is no \(what) \"\(name)\" in \(place)\(hint)", subject: name,
      remedy: remedy)
  }

  /// The error of a use of files for a calendar that has none.
  static func inDatabase(_ name: String) -> EpactError {
    EpactError(
      .argument, "the calendar \"\(name)\" is in the ledger, and this command reads files",
      subject: name, remedy: .other("Its export is a file that this command can read."))
  }

  /// The error for a calendar of the configuration whose folder or file does not exist.
  init(calendar name: String, notAt path: String) {
    guard LocalCalendars.databaseName(at: path) == nil else {
      self = .inDatabase(name)
      return
    }
    self.init(
      .failed, "the calendar \"\(name)\" is not at \(path)", subject: path,
      remedy: .makeFolder(path: path))
  }
}

extension EpactError {
  /// Creates an error from one of the layers below.
  package init(describing error: any Error) {
    switch error {
    case let error as EpactError: self = error
    case is CancellationError: self.init(.interrupted, "interrupted")
    case let error as ConfigurationError:
      self.init(
        .configuration, error.lines.first ?? error.path, details: Array(error.lines.dropFirst()),
        subject: error.path)
    case let error as StoreError where error.code == .replaced:
      self.init(.unavailable, "\(error)")
    // The path of the lock is irrelevant if another run is in progress.
    case let error as StoreError where error.code == .locked:
      self.init(.unavailable, error.message)
    case let error as StoreError where error.code == .misconfigured:
      self.init(.configuration, error.message, subject: error.path)
    case let error as StoreError
    where [.disconnected, .leaseLost, .outcomeUnknown].contains(error.code):
      self.init(.unavailable, "\(error)")
    case let error as RemoteError:
      self.init(
        Self.code(of: error.code), "\(error)", subject: error.subject,
        remedy: error.code == .untrusted
          ? .trustCertificate : Self.plainAddress(error.subject, error.message))
    case let error as HTTPError:
      self.init(
        Self.code(of: error.code), "\(error)",
        remedy: error.code == .untrusted
          ? .trustCertificate : Self.plainAddress(error.url.description, error.message))
    case let error as AuthorizationError:
      self.init(error.code.kind, "\(error)", subject: error.subject)
    case let error as AccessError: self.init(error)
    case let error as ConflictError: self.init(error)
    case let error as UndoError: self.init(.failed, error.words)
    case let error as LibraryError:
      self.init(Self.code(of: error.code), error.message, subject: error.subject)
    case let error as FileError:
      self.init(
        .failed, "\(error)", subject: error.path,
        remedy: error.code == .otherForm ? .convert(path: error.path) : nil)
    case let error as EditError: self.init(.argument, error.message)
    case let error as ICUError: self.init(.failed, error.message)
    default: self.init(.failed, String(describing: error))
    }
  }

  /// Creates the error of a sign-in or of a renewal of its tokens.
  ///
  /// - Parameters:
  ///   - error: The error of the authorization server.
  ///   - remote: The name of the remote or the account.
  init(_ error: AuthorizationError, signingIn remote: String) {
    let needsSignIn = [.invalidGrant, .expired].contains(error.code)
    self.init(
      error.code.kind, "\(remote): \(error)", subject: remote,
      remedy: needsSignIn ? .signIn(remote: remote) : nil)
  }

  private init(_ error: AccessError) {
    switch error {
    case .notDetermined(let remote, let tier):
      self.init(
        .noAccess, error.words, subject: remote, remedy: .grant(tier, remote: remote))
    case .denied(let remote, let tier):
      self.init(
        .noAccess, "\(error.words), and is not asked for again", subject: remote,
        remedy: .changeAnswer(tier, remote: remote))
    case .emptyPurpose: self.init(.argument, error.words)
    default: self.init(.noAccess, error.words)
    }
  }

  /// Creates the error of a choice that cannot be made.
  init(_ error: ConflictError) {
    if case .notWritten = error {
      self.init(.partlyFailed, error.words)
    } else {
      self.init(.failed, error.words)
    }
  }

  /// The address without TLS for a server of this machine that has none.
  private static func plainAddress(_ address: String, _ message: String) -> Remedy? {
    guard message.contains(HTTPError.noTLS), let url = try? RemoteURL(parsing: address),
      url.isLoopback
    else { return nil }
    return .other("On this machine it needs none: http" + url.description.dropFirst("https".count))
  }

  private static func code(of code: LibraryError.Code) -> Code {
    switch code {
    case .changedMeanwhile, .unavailable: .unavailable
    case .readOnly: .noAccess
    case .noCalendar, .configuration: .configuration
    case .wrongKind, .invalid: .argument
    case .interrupted: .interrupted
    default: .failed
    }
  }

  private static func code(of code: RemoteError.Code) -> Code {
    switch code {
    case .configuration, .ambiguous: .configuration
    case .credentials, .forbidden: .noAccess
    case .temporarilyUnavailable, .unreachable, .interrupted: .unavailable
    default: .failed
    }
  }

  private static func code(of code: HTTPError.Code) -> Code {
    switch code {
    case .unreachable, .timeout, .interrupted: .unavailable
    default: .failed
    }
  }
}

extension AuthorizationError.Code {
  /// The kind of error of the front.
  var kind: EpactError.Code {
    switch self {
    case .invalidGrant, .denied, .consent, .expired, .pending, .slowDown: .noAccess
    case .client, .scope, .unsupported: .configuration
    case .temporary: .unavailable
    case .otherState, .otherIssuer, .malformed, .refused: .failed
    }
  }
}
