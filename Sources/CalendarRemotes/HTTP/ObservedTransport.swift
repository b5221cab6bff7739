// SPDX-License-Identifier: Apache-2.0

public import CalendarSync

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
  private let note: AccessNote?
  private let observe: @Sendable (Exchange) -> Void

  /// Creates a transport that sends through another one.
  ///
  /// - Parameters:
  ///   - base: What sends.
  ///   - note: Called with the class of each request before it is sent; what it throws, stops it.
  ///   - observe: Called after each request.
  public init(
    _ base: any HTTPTransport, note: AccessNote? = nil,
    observe: @escaping @Sendable (Exchange) -> Void
  ) {
    self.base = base
    self.note = note
    self.observe = observe
  }

  /// Sends a request and tells of it.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try await note?(AccessRequest(request))
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
