// SPDX-License-Identifier: Apache-2.0

/// A transport that sends nothing but additions: the second lock of write-only access.
///
/// The first is that code under write-only access holds no value that could ask for more.
package struct WriteOnlyTransport: HTTPTransport {
  private let base: any HTTPTransport

  /// Creates a transport that sends additions through another one.
  package init(_ base: any HTTPTransport) {
    self.base = base
  }

  /// Sends a `PUT` that is conditional on there being nothing yet, and refuses all else.
  package func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    guard request.isAddition else {
      throw HTTPError(
        code: .refused, url: request.url,
        message: "\(request.method) is refused: the access is write-only")
    }
    return try await base.send(request)
  }
}
