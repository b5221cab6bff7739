// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// An HTTP request.
public struct HTTPRequest: Hashable, Sendable {
  /// The method.
  public var method: HTTPMethod
  /// The address.
  public var url: RemoteURL
  /// The header fields, in addition to those that the transport adds.
  public var headers: HTTPHeaders
  /// The body, or nil for none.
  public var body: [UInt8]?
  /// The credentials, which are sent only to the origin of `url`.
  public var credentials: Credentials?
  /// Whether the response may be compressed (RFC 9110 §12.5.3).
  ///
  /// It should be false if a later condition needs the response's entity tag: some servers add a
  /// suffix to the tag of a compressed response, and do not recognize it later.
  public var acceptsCompression: Bool
  /// Whether another server redirected the request, which then must not reach this machine.
  package var isFromElsewhere = false
  /// Whether no redirect is followed, because the body has a secret for exactly this address.
  package var refusesRedirects = false
  /// The effect of a POST.
  package var posts = PostEffect.change

  /// The effect of a POST, which its method does not show.
  package enum PostEffect: Hashable, Sendable {
    /// It may change anything.
    case change
    /// It can only add a resource to the collection at its address.
    case creation
    /// It contains requests that only read.
    case reading
  }

  /// Creates a request; by default, only listings and reports may be compressed.
  public init(
    method: HTTPMethod, url: RemoteURL, headers: HTTPHeaders = [:], body: [UInt8]? = nil,
    credentials: Credentials? = nil, acceptsCompression: Bool? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.credentials = credentials
    self.acceptsCompression = acceptsCompression ?? [.propfind, .report].contains(method)
  }
}

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
  /// Adds a resource to a collection that is no WebDAV one, or sends a form for processing.
  public static let post = HTTPMethod("POST")
  /// Changes some fields of a resource (RFC 5789).
  public static let patch = HTTPMethod("PATCH")
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
    [.put, .post, .patch, .delete, .move, .proppatch, .mkcalendar, .mkcol].contains(self)
  }

  /// Whether the method only reads, so that it can be repeated safely (RFC 9110 §9.2.1).
  public var isSafe: Bool { [.get, .options, .propfind, .report].contains(self) }

  /// The method name.
  public var description: String { rawValue }
}

/// A complete HTTP response.
public struct HTTPResponse: Hashable, Sendable {
  /// The status code (RFC 9110 §15).
  public var status: Int
  /// The header fields.
  public var headers: HTTPHeaders
  /// The body.
  public var body: [UInt8]
  /// The address that responded, which differs from the request's after a redirect.
  public var url: RemoteURL
  /// The new address of a resource that has moved permanently, or nil.
  ///
  /// It is the last address of the permanent redirects that came first (status 301 and 308, RFC
  /// 9110 §15.4.2, §15.4.9).
  public var permanentURL: RemoteURL?
  /// The time from the start of the request to the end of the response; zero if it is unknown.
  public var duration = Duration.zero
  /// The part of the duration before the request was sent, such as for a new connection.
  public var connectDuration = Duration.zero

  /// Creates a response.
  public init(
    status: Int, headers: HTTPHeaders = [:], body: [UInt8] = [], url: RemoteURL,
    permanentURL: RemoteURL? = nil
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.url = url
    self.permanentURL = permanentURL
  }
}

extension HTTPResponse {
  /// The time of the response by the server's clock (RFC 9110 §6.6.1), or nil if not stated.
  public var date: Instant? { headers["Date"].flatMap(HTTPDate.parse) }

  /// Creates the error for a server that is temporarily unavailable.
  ///
  /// The message includes Retry-After, in seconds or as a date (RFC 9110 §10.2.3).
  func later(subject: String) -> RemoteError {
    let delay = headers["Retry-After"].map { text in
      let isSeconds = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
      return ", after \(ServerText.escaped(text))\(isSeconds ? " seconds" : "")"
    }
    return RemoteError(
      code: .temporarilyUnavailable, subject: subject,
      message: "the server asks to retry later\(delay ?? "") (status \(status))")
  }
}

/// The header fields of a request or response, in order (RFC 9110 §5).
///
/// Names are case-insensitive.
public struct HTTPHeaders: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  /// A header field.
  public struct Field: Hashable, Sendable {
    /// The name as specified.
    public let name: String
    /// The value, trimmed.
    public let value: String

    /// Creates a field.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The fields, in order.
  public private(set) var fields: [Field]

  /// Creates headers from fields.
  public init(_ fields: [Field] = []) {
    self.fields = fields
  }

  /// Creates headers from names and values.
  public init(dictionaryLiteral elements: (String, String)...) {
    self.init(elements.map { Field(name: $0.0, value: $0.1) })
  }

  /// Returns the values of all fields with a name, in order.
  public func values(of name: String) -> [String] {
    let wanted = name.lowercased()
    return fields.filter { $0.name.lowercased() == wanted }.map(\.value)
  }

  /// The value of the first field with a name.
  public subscript(name: String) -> String? { values(of: name).first }

  /// Parses the lines of a header; invalid lines are skipped.
  init(parsing lines: [UInt8]) {
    fields = lines.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).compactMap { line in
      guard let colon = line.firstIndex(of: 0x3A) else { return nil }
      let name = String(decoding: line[..<colon], as: UTF8.self)
      let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
      var value = line[(colon + 1)...].drop(while: isBlank)
      while value.last.map(isBlank) ?? false { value.removeLast() }
      return Field(name: name, value: String(decoding: value, as: UTF8.self))
    }
  }

  /// Whether every name is a token and every value has no line breaks (RFC 9110 §5.5).
  var areWellFormed: Bool {
    fields.allSatisfy { field in
      !field.name.isEmpty && !field.value.isEmpty
        && field.name.utf8.allSatisfy {
          PercentEncoding.isAlphanumeric($0) || "!#$%&'*+-.^_`|~".utf8.contains($0)
        }
        && field.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }
  }
}

/// HTTP dates (RFC 9110 §5.6.7), which are always in GMT.
enum HTTPDate {
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// Parses `Sun, 06 Nov 1994 08:49:37 GMT` or one of the two obsolete formats, or returns nil.
  static func parse(_ text: String) -> Instant? {
    // The obsolete formats use hyphens in the date, or have the year last.
    let words = text.lowercased().split(whereSeparator: { $0 == " " || $0 == "," || $0 == "-" })
    guard words.count >= 5,
      let monthPlace = words.firstIndex(where: { months.contains(String($0)) }),
      let month = months.firstIndex(of: String(words[monthPlace])),
      let timePlace = words.firstIndex(where: { $0.contains(":") })
    else { return nil }
    let dayPlace = monthPlace == 1 ? 2 : monthPlace - 1
    let yearPlace = monthPlace == 1 ? 4 : monthPlace + 1
    guard words.indices.contains(dayPlace), words.indices.contains(yearPlace),
      let day = Int(words[dayPlace]), var year = Int(words[yearPlace])
    else { return nil }
    // Two-digit years are from 1970 through 2069.
    if words[yearPlace].utf8.count == 2 { year += year < 70 ? 2000 : 1900 }
    let clock = words[timePlace].split(separator: ":").compactMap { Int($0) }
    guard clock.count == 3, let date = CivilDate(year: year, month: month + 1, day: day),
      let time = TimeOfDay(hour: clock[0], minute: clock[1], second: min(clock[2], 59))
    else { return nil }
    return Instant(utc: CivilDateTime(date, time))
  }
}

/// Searches bytes for words, ignoring case.
enum ByteSearch {
  /// Whether the first bytes contain a lowercase ASCII word, in any case.
  ///
  /// The search is on bytes for speed, because it runs on every request and response.
  static func finds(_ word: String, in bytes: [UInt8], upTo limit: Int = .max) -> Bool {
    let word = Array(word.utf8)
    let last = min(limit, bytes.count) - word.count
    guard let first = word.first, last >= 0 else { return false }
    for start in 0...last where lowercased(bytes[start]) == first {
      if word.indices.allSatisfy({ lowercased(bytes[start + $0]) == word[$0] }) { return true }
    }
    return false
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }
}
