// SPDX-License-Identifier: Apache-2.0

public import CalendarSync

/// A transport that only sends additions: the second safeguard of write-only access.
///
/// The first safeguard is that code under write-only access has no value with more capabilities.
package struct WriteOnlyTransport: HTTPTransport {
  private let base: any HTTPTransport
  /// The collection to which a POST adds a resource; nil for WebDAV.
  private let collection: RemoteURL?

  /// Creates a transport that sends additions through another one.
  ///
  /// - Parameters:
  ///   - base: The transport that sends the requests.
  ///   - collection: The collection to which a POST adds a resource; nil for WebDAV.
  package init(_ base: any HTTPTransport, creatingIn collection: RemoteURL? = nil) {
    self.base = base
    self.collection = collection
  }

  package var requestsAtOnce: Int { base.requestsAtOnce }

  /// Sends a `PUT` that requires that the resource does not exist, or a `POST` to the collection, and
  /// refuses all other requests.
  package func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    guard isAddition(request) else {
      throw HTTPError(
        code: .refused, url: request.url,
        message: "\(request.method) is refused: the access is write-only")
    }
    return try await base.send(request)
  }

  private func isAddition(_ request: HTTPRequest) -> Bool {
    guard let collection else { return request.isAddition }
    return request.method == .post && request.url.origin == collection.origin
      && request.url.path == collection.path
  }
}

/// A transport that only sends requests that read: the second safeguard of a sync that pulls.
///
/// The first safeguard is that the engine plans no change of the remote for such a sync.
package struct ReadOnlyTransport: HTTPTransport {
  private let base: any HTTPTransport

  /// Creates a transport that sends requests that read through another one.
  package init(_ base: any HTTPTransport) {
    self.base = base
  }

  package var requestsAtOnce: Int { base.requestsAtOnce }

  /// Sends a request that reads, and refuses all others.
  package func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    guard AccessRequest(request).effect == .read else {
      throw HTTPError(
        code: .refused, url: request.url,
        message: "\(request.method) is refused: the sync only pulls")
    }
    return try await base.send(request)
  }
}

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

  /// The number that the transport below allows.
  public var requestsAtOnce: Int { base.requestsAtOnce }

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

extension AccessRequest {
  /// The reports that are distinguished (RFC 4791 §7, RFC 6578 §3.2).
  private static let reports = [
    "calendar-multiget", "calendar-query", "free-busy-query", "sync-collection",
  ]
  /// The header fields that make a request conditional or set its depth.
  private static let conditions = [
    "Depth", "If-Match", "If-None-Match", "If-Schedule-Tag-Match", "If-Modified-Since",
  ]
  /// The number of bytes in a body that are searched for the name of a report.
  private static let start = 512

  /// Creates the class of a request, without any part of its address, body or entity tags.
  public init(_ request: HTTPRequest) {
    var words = [request.method.rawValue]
    if request.method == .report, let body = request.body {
      let report = Self.reports.first { ByteSearch.finds($0, in: body, upTo: Self.start) }
      if let report { words.append(report) }
    }
    for name in Self.conditions {
      switch request.headers.values(of: name) {
      case []: continue
      case ["*"]: words.append("\(name): *")
      case let values where name == "Depth": words.append("\(name): \(values.joined())")
      default: words.append(name)
      }
    }
    self.init(
      Self.effect(of: request), words.joined(separator: " "),
      of: Self.target(of: request.url.path))
  }

  private static func effect(of request: HTTPRequest) -> Effect {
    switch request.method.rawValue {
    case "GET", "HEAD", "OPTIONS", "PROPFIND", "REPORT": .read
    case "PUT" where request.isAddition: .add
    case "POST" where request.posts == .creation: .add
    case "POST" where request.posts == .reading: .read
    default: .change
    }
  }

  private static func target(of path: String) -> String {
    if ByteSearch.finds("/.well-known/", in: Array(path.utf8)) { return "well-known address" }
    return path.hasSuffix("/") ? "collection" : "item"
  }
}

extension HTTPRequest {
  /// Whether the request can only create a resource that does not exist (RFC 9110 §13.1.2).
  var isAddition: Bool {
    method == .put && headers.values(of: "If-None-Match") == ["*"]
      && headers.values(of: "If-Match").isEmpty
  }
}
