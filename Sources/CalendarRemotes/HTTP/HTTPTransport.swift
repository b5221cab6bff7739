// SPDX-License-Identifier: Apache-2.0

/// What sends requests: the network, or a script in a test.
public protocol HTTPTransport: Sendable {
  /// Sends a request and returns the whole answer, whatever its status.
  ///
  /// - Throws: `HTTPError` if there is no whole answer, `CancellationError` if nobody waits for it.
  func send(_ request: HTTPRequest) async throws -> HTTPResponse
}
