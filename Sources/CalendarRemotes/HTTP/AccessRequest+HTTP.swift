// SPDX-License-Identifier: Apache-2.0

public import CalendarSync

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
