// SPDX-License-Identifier: Apache-2.0

public import CalendarSync

/// A transport that reports every request, for a log.
public struct ObservedTransport: HTTPTransport {
  /// A request and its result.
  public struct Exchange: Sendable {
    /// The method of the request.
    public let method: HTTPMethod
    /// The address of the request, without credentials.
    public let url: RemoteURL
    /// The status of the response, or the error.
    public let result: Result<Int, any Error>
  }

  private let base: any HTTPTransport
  private let note: AccessNote?
  private let observe: @Sendable (Exchange) -> Void

  /// Creates a transport that sends through another one.
  ///
  /// - Parameters:
  ///   - base: The transport that sends the requests.
  ///   - note: Called with the class of each request before it is sent; an error that it throws
  ///     prevents the request.
  ///   - observe: Called after each request.
  public init(
    _ base: any HTTPTransport, note: AccessNote? = nil,
    observe: @escaping @Sendable (Exchange) -> Void
  ) {
    self.base = base
    self.note = note
    self.observe = observe
  }

  /// Sends a request and reports it.
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
