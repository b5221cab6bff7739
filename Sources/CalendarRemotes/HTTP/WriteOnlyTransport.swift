// SPDX-License-Identifier: Apache-2.0

/// A transport that only sends additions: the second safeguard of write-only access.
///
/// The first safeguard is that code under write-only access has no value with more capabilities.
package struct WriteOnlyTransport: HTTPTransport {
  private let base: any HTTPTransport

  /// Creates a transport that sends additions through another one.
  package init(_ base: any HTTPTransport) {
    self.base = base
  }

  /// Sends a `PUT` that requires that the resource does not exist, and refuses all other requests.
  package func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    guard request.isAddition else {
      throw HTTPError(
        code: .refused, url: request.url,
        message: "\(request.method) is refused: the access is write-only")
    }
    return try await base.send(request)
  }
}
