// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// The user's decision about the access to a remote.
public struct AccessGrant: Hashable, Sendable {
  /// The remote.
  public let remote: RemoteIdentity
  /// The granted tier.
  public let tier: AccessTier
  /// The purpose that was displayed for the decision: the use of the calendar and its reason.
  public let purpose: String
  /// The time of the decision.
  public let grantedAt: Instant
  /// The name of the user's account on this machine.
  public let grantedBy: String

  /// Creates a grant.
  public init(
    remote: RemoteIdentity, tier: AccessTier, purpose: String, grantedAt: Instant, grantedBy: String
  ) {
    self.remote = remote
    self.tier = tier
    self.purpose = purpose
    self.grantedAt = grantedAt
    self.grantedBy = grantedBy
  }
}

/// The store of grants: the ledger's database, which an edit of the configuration cannot change.
public protocol GrantStore: Sendable {
  /// The grant for a remote, or nil if the user has not decided yet.
  func grant(for remote: RemoteIdentity) async throws -> AccessGrant?

  /// All grants, in order of remote.
  func grants() async throws -> [AccessGrant]

  /// Stores a grant, and replaces an earlier one for the same remote.
  ///
  /// If the new grant is full and the earlier one was not, the store deletes the known ETags of the
  /// remote's items. The next run then fetches and matches all items before it relies on earlier
  /// state.
  func store(_ grant: AccessGrant) async throws

  /// Revokes a grant; the remote then has no stored decision.
  func revoke(_ remote: RemoteIdentity, at time: Instant, by user: String) async throws
}

/// The text that is displayed in a request for access: the use of the calendar and its reason.
///
/// Any text in any language is accepted. Programs must sanitize it for display like all external
/// text.
public struct Purpose: Hashable, Sendable, CustomStringConvertible {
  /// A reason why a purpose is not informative.
  public enum Weakness: Hashable, Sendable {
    /// It is the unmodified text of an example.
    case placeholder
    /// It contains only general words about calendar access.
    case general
    /// It is too long to be read quickly.
    case long
  }

  /// The text, with single spaces between its words.
  public let text: String

  /// The text of the example command.
  public static let placeholder = "What it is for, and why"
  /// The maximum length of a purpose without a warning, in bytes.
  private static let longest = 500
  /// English words that fit every program.
  private static let general: Set<String> = [
    "a", "access", "accesses", "all", "an", "and", "app", "application", "calendar", "calendars",
    "data", "epact", "event", "events", "for", "full", "has", "have", "i", "in", "is", "it",
    "its", "many", "me", "my", "need", "needed", "needs", "of", "on", "our", "please", "program",
    "purposes", "require", "required", "requires", "stuff", "the", "them", "things", "this", "to",
    "use", "used", "user", "user's", "users", "uses", "various", "want", "wants", "with", "would",
    "like", "your",
  ]

  /// Creates a purpose from a text.
  ///
  /// - Throws: `AccessError` with code `purpose` if the text has no visible character.
  public init(_ text: String) throws(AccessError) {
    guard text.unicodeScalars.contains(where: Self.isVisible) else {
      throw AccessError(
        code: .purpose, message: "expected a purpose that says what is done and why, found none")
    }
    self.text = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// The weakness of the purpose, or nil.
  public var weakness: Weakness? {
    if text.lowercased() == Self.placeholder.lowercased() { return .placeholder }
    if text.utf8.count > Self.longest { return .long }
    let words = text.split(separator: " ").map { word in
      word.lowercased().filter { $0.isLetter || $0 == "'" }
    }
    return words.allSatisfy(Self.general.contains) ? .general : nil
  }

  /// Whether a character is visible, as opposed to separators, controls and combining characters.
  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .surrogate,
      .unassigned, .nonspacingMark, .enclosingMark:
      false
    default: !scalar.properties.isDefaultIgnorableCodePoint
    }
  }

  /// The text.
  public var description: String { text }
}

/// Determines the tier of a sync from a stored grant.
public enum AccessGate {
  /// The tier that a grant allows.
  ///
  /// - Parameters:
  ///   - grant: The stored grant, or nil if the user has not decided yet.
  ///   - restriction: The restriction of an administrator, or nil.
  ///   - wanted: The lowest sufficient tier, which is also the highest returned tier.
  ///   - name: The name of the remote in the configuration, for the message and the remedy.
  /// - Returns: `writeOnly` or `full`.
  /// - Throws: `AccessError` with the grant that would resolve the error.
  public static func tier(
    of grant: AccessGrant?, under restriction: AccessRestriction? = nil,
    wanted: AccessTier = .full, remote name: String
  ) throws(AccessError) -> AccessTier {
    if let restriction, restriction.tier == .none {
      throw AccessError(
        code: .restricted,
        message: "access to \(name) is restricted: \(restriction.decidedBy) decided in "
          + "\(restriction.place) that it is never contacted")
    }
    let remedy = AccessError.Remedy(remote: name, tier: min(wanted, restriction?.tier ?? .full))
    guard let grant else {
      throw AccessError(
        code: .notDetermined, message: "no access to \(name) was granted yet", remedy: remedy)
    }
    guard grant.tier != .none else {
      throw AccessError(
        code: .denied, message: "access to \(name) is denied", remedy: remedy)
    }
    return [grant.tier, restriction?.tier ?? .full, wanted].min() ?? .none
  }
}

/// The reason why access to a remote is denied or insufficient.
public struct AccessError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of an access error, for programs.
  public struct Code: Hashable, Sendable {
    private enum Value: Hashable, Sendable {
      case notDetermined, denied, restricted, needsFull, purpose
    }

    private let value: Value

    /// The user has not decided yet.
    public static let notDetermined = Code(value: .notDetermined)
    /// The user denied access.
    public static let denied = Code(value: .denied)
    /// An administrator forbade access, or limited it.
    public static let restricted = Code(value: .restricted)
    /// The kind of remote requires full access.
    public static let needsFull = Code(value: .needsFull)
    /// The purpose has no visible text.
    public static let purpose = Code(value: .purpose)
  }

  /// A grant that would resolve the error.
  public struct Remedy: Hashable, Sendable {
    /// The name of the remote in the configuration.
    public let remote: String
    /// The lowest sufficient tier, limited by the administrator's restriction.
    public let tier: AccessTier

    /// Creates a remedy.
    public init(remote: String, tier: AccessTier) {
      self.remote = remote
      self.tier = tier
    }
  }

  /// The kind of the error.
  public let code: Code
  /// The problem, for display.
  public let message: String
  /// The grant that would resolve the error, or nil if no grant does.
  public let remedy: Remedy?

  /// Creates an error.
  public init(code: Code, message: String, remedy: Remedy? = nil) {
    self.code = code
    self.message = message
    self.remedy = remedy
  }

  /// The problem.
  public var description: String { message }
}
