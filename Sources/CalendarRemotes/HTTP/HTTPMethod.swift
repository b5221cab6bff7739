// SPDX-License-Identifier: Apache-2.0

/// An HTTP request method (RFC 9110 §9, RFC 4918 §9, RFC 3253 §3.6).
public struct HTTPMethod: Hashable, Sendable, CustomStringConvertible {
  /// The method name.
  public let rawValue: String

  private init(_ rawValue: String) {
    self.rawValue = rawValue
  }

  /// Reads a resource.
  public static let get = HTTPMethod("GET")
  /// Creates or replaces a resource.
  public static let put = HTTPMethod("PUT")
  /// Removes a resource.
  public static let delete = HTTPMethod("DELETE")
  /// Reads properties of a resource, or lists a collection.
  public static let propfind = HTTPMethod("PROPFIND")
  /// Reads many resources at once.
  public static let report = HTTPMethod("REPORT")

  /// Requests the capabilities of the server.
  public static let options = HTTPMethod("OPTIONS")
  /// Sets or removes properties of a resource.
  public static let proppatch = HTTPMethod("PROPPATCH")
  /// Moves a resource (RFC 4918 §9.9).
  public static let move = HTTPMethod("MOVE")
  /// Creates a calendar (RFC 4791 §5.3.1).
  public static let mkcalendar = HTTPMethod("MKCALENDAR")
  /// Creates a collection (RFC 5689 §3).
  public static let mkcol = HTTPMethod("MKCOL")

  /// Whether the method changes data on the server.
  public var isWrite: Bool {
    [.put, .delete, .move, .proppatch, .mkcalendar, .mkcol].contains(self)
  }

  /// Whether the method only reads, so that it can be repeated safely (RFC 9110 §9.2.1).
  public var isSafe: Bool { [.get, .options, .propfind, .report].contains(self) }

  /// The method name.
  public var description: String { rawValue }
}
