// SPDX-License-Identifier: Apache-2.0

/// A transport that tells of every request, for a log.
public struct ObservedTransport: HTTPTransport {
  /// A request and what came of it.
  public struct Exchange: Sendable {
    /// The method of the request.
    public let method: HTTPMethod
    /// The address of the request, which never holds credentials.
    public let url: RemoteURL
    /// The status of the answer, or why there is none.
    public let result: Result<Int, any Error>
  }

  private let base: any HTTPTransport
  private let observe: @Sendable (Exchange) -> Void

  /// Creates a transport that calls `observe` after each request it sent through another one.
  public init(_ base: any HTTPTransport, observe: @escaping @Sendable (Exchange) -> Void) {
    self.base = base
    self.observe = observe
  }

  /// Sends a request and tells of it.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    do {
      let response = try await base.send(request)
      observe(Exchange(method: request.method, url: request.url, result: .success(response.status)))
      return response
    } catch {
      observe(Exchange(method: request.method, url: request.url, result: .failure(error)))
      throw error
    }
  }
}
