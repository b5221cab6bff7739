// SPDX-License-Identifier: Apache-2.0

/// Why a remote may not be used, or not so far.
public struct AccessError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of an access error, for programs.
  public struct Code: Hashable, Sendable {
    private enum Value: Hashable, Sendable {
      case notDetermined, denied, restricted, needsFull, purpose
    }

    private let value: Value

    /// Nobody was asked yet.
    public static let notDetermined = Code(value: .notDetermined)
    /// The answer was no.
    public static let denied = Code(value: .denied)
    /// An administrator decided that there is no access, or not so much.
    public static let restricted = Code(value: .restricted)
    /// The kind of remote can do nothing with less than full access.
    public static let needsFull = Code(value: .needsFull)
    /// The purpose says nothing.
    public static let purpose = Code(value: .purpose)
  }

  /// A grant that would help.
  public struct Remedy: Hashable, Sendable {
    /// The name of the remote in the configuration.
    public let remote: String
    /// The lowest tier that does the job, as far as it may be granted.
    public let tier: AccessTier

    /// Creates a remedy.
    public init(remote: String, tier: AccessTier) {
      self.remote = remote
      self.tier = tier
    }
  }

  /// What kind of error it is.
  public let code: Code
  /// What is wrong, for people.
  public let message: String
  /// The grant that would help, or nil if none would.
  public let remedy: Remedy?

  /// Creates an error.
  public init(code: Code, message: String, remedy: Remedy? = nil) {
    self.code = code
    self.message = message
    self.remedy = remedy
  }

  /// What is wrong.
  public var description: String { message }
}
