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
    /// The purpose does not say what is done and why.
    public static let purpose = Code(value: .purpose)
  }

  /// What kind of error it is.
  public let code: Code
  /// What is wrong and what helps, for people.
  public let message: String

  /// Creates an error.
  public init(code: Code, message: String) {
    self.code = code
    self.message = message
  }

  /// What is wrong and what helps.
  public var description: String { message }
}
