// SPDX-License-Identifier: Apache-2.0

/// A source of access tokens: each is used until a server rejects it, and then renewed once.
///
/// Concurrent requests share one renewal.
public actor TokenSource {
  private let make: @Sendable () async throws -> String
  private var current: Task<String, any Error>?

  /// Creates a source.
  ///
  /// - Parameter make: Returns a valid token, for example from a program that manages the login.
  public init(_ make: @escaping @Sendable () async throws -> String) {
    self.make = make
  }

  /// Returns the current token.
  func token() async throws -> String {
    if let current { return try await current.value }
    let task = Task { [make] in try await make() }
    current = task
    return try await task.value
  }

  /// Returns a replacement for a rejected token: a token that was renewed since, or a new one.
  func token(replacing refused: String) async throws -> String {
    if let current, try await current.value == refused, self.current == current {
      self.current = nil
    }
    return try await token()
  }
}

extension TokenSource: Hashable {
  /// Whether both are the same object.
  public static func == (left: TokenSource, right: TokenSource) -> Bool { left === right }

  /// Hashes the identity of the object.
  public nonisolated func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
