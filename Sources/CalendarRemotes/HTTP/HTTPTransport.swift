// SPDX-License-Identifier: Apache-2.0

/// A transport that sends requests: the network, or a script in a test.
public protocol HTTPTransport: Sendable {
  /// Sends a request and returns the complete response, whatever its status.
  ///
  /// - Throws: `HTTPError` if there is no complete response, `CancellationError` if the task is
  ///   cancelled.
  func send(_ request: HTTPRequest) async throws -> HTTPResponse
}
