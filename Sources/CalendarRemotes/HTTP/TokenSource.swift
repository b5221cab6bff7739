// SPDX-License-Identifier: Apache-2.0

/// Where access tokens come from: each is used until a server refuses it, and then made anew once.
///
/// However many requests wait for a token, it is made once.
public actor TokenSource {
  private let make: @Sendable () async throws -> String
  private var current: Task<String, any Error>?

  /// Creates a source.
  ///
  /// - Parameter make: Makes a token that is good at the time, as a program that keeps a login does.
  public init(_ make: @escaping @Sendable () async throws -> String) {
    self.make = make
  }

  /// The token that is good for all that is known.
  func token() async throws -> String {
    if let current { return try await current.value }
    let task = Task { [make] in try await make() }
    current = task
    return try await task.value
  }

  /// A token in place of one that a server refused: the one that was made since, or a new one.
  func token(replacing refused: String) async throws -> String {
    if let current, try await current.value == refused, self.current == current {
      self.current = nil
    }
    return try await token()
  }
}

extension TokenSource: Hashable {
  /// Whether both are the same source.
  public static func == (left: TokenSource, right: TokenSource) -> Bool { left === right }

  /// Hashes which source it is.
  public nonisolated func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
