// SPDX-License-Identifier: Apache-2.0

/// Why a remote may not be used, or not so far.
public struct AccessError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of an access error, for programs.
  public struct Code: Hashable, Sendable {
    private enum Value: Hashable, Sendable {
      case notDetermined, denied, needsFull, purpose
    }

    private let value: Value

    /// Nobody was asked yet.
    public static let notDetermined = Code(value: .notDetermined)
    /// The answer was no.
    public static let denied = Code(value: .denied)
    /// What was granted is not enough for what was asked.
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
