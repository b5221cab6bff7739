// SPDX-License-Identifier: Apache-2.0

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
