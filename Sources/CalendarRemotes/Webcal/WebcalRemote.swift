// SPDX-License-Identifier: Apache-2.0

import CalendarModel
public import CalendarSync
public import CivilTime
public import ICalSyntax

/// A read-only calendar that is published as one file at a `webcal` or `https` address.
///
/// The address of a private feed is a secret like a password. Printed texts, logs and grants
/// contain only the server's name and a digest.
public struct WebcalRemote: Remote {
  private let address: RemoteURL
  private let credentials: Credentials?
  private let transport: any HTTPTransport
  private let now: @Sendable () -> Instant
  private let charsets: VCalendarReader.CharsetDecoder

  /// Describes a feed without sending a request.
  ///
  /// - Parameters:
  ///   - address: The address of the feed.
  ///   - credentials: The credentials, or nil for a public feed.
  ///   - transport: The transport that sends the requests.
  ///   - now: The clock, for feeds that declare a refresh interval.
  ///   - charsets: The decoder of feeds whose server declares another charset than UTF-8.
  public init(
    address: RemoteURL, credentials: Credentials?, transport: any HTTPTransport,
    now: @escaping @Sendable () -> Instant,
    charsets: @escaping VCalendarReader.CharsetDecoder = { _, _ in nil }
  ) {
    self.address = address
    self.credentials = credentials
    self.transport = transport
    self.now = now
    self.charsets = charsets
  }

  /// The kind `webcal`, the server, a digest of the address, and the user.
  public var identity: RemoteIdentity {
    let digest = SHA256.digest(of: Array(address.normalized.utf8)).description.prefix(16)
    return RemoteIdentity(
      kind: "webcal", location: "\(address.withoutSecret)#\(digest)",
      user: credentials?.user ?? "")
  }

  /// Throws an error, because nothing can be added to a feed.
  ///
  /// - Throws: `AccessError.needsFull`.
  public func openAppender() async throws -> any RemoteAppender {
    throw AccessError.needsFull(
      reason:
        "\(address.withoutSecret): a feed can only be read, which write-only access does not "
        + "allow; nothing can be added to it")
  }

  /// Opens the feed for reading, without sending a request.
  ///
  /// - Throws: `RemoteError` if a password would be sent without encryption.
  public func openCalendar() async throws -> any RemoteCalendar {
    guard credentials == nil || !address.isPlain else {
      throw RemoteError(
        code: .configuration, subject: address.withoutSecret,
        message: "a password is not sent without encryption; use https or webcals")
    }
    return WebcalCalendar(
      source: FeedSource(
        address: address, credentials: credentials, transport: transport, charsets: charsets),
      location: identity.location, now: now)
  }
}

extension RemoteURL {
  /// The server and an ellipsis, for showing an address whose path is a secret.
  package var withoutSecret: String { "\(origin)/…" }
}

/// Requests a feed, with conditions that avoid fetching it again (RFC 9110 §13).
struct FeedSource: Sendable {
  let address: RemoteURL
  let credentials: Credentials?
  let transport: any HTTPTransport
  let charsets: VCalendarReader.CharsetDecoder

  /// The result of a request.
  enum Answer {
    /// The feed has not changed.
    case unchanged
    /// The complete feed, and the validators of the response.
    case feed([UInt8], FeedMemory.Validators)
  }

  /// Requests the feed, conditionally if validators of an earlier response are known.
  ///
  /// - Throws: `RemoteError` unless the response is complete and may be a feed.
  func ask(knowing known: FeedMemory.Validators?) async throws -> Answer {
    guard let moved = known?.movedTo, moved != address else {
      return try await ask(address, knowing: known)
    }
    do {
      return try await ask(moved, knowing: known)
    } catch let error as RemoteError {
      guard error.code != .temporarilyUnavailable, error.code != .unreachable else { throw error }
      // If the new address fails permanently, the configured address is used again.
      return try await ask(address, knowing: nil)
    }
  }

  private func ask(
    _ url: RemoteURL, knowing known: FeedMemory.Validators?
  ) async throws -> Answer {
    var fields = [HTTPHeaders.Field(name: "Accept", value: "text/calendar, */*;q=0.1")]
    if let etag = known?.etag { fields.append(.init(name: "If-None-Match", value: etag)) }
    if let modified = known?.lastModified {
      fields.append(.init(name: "If-Modified-Since", value: modified))
    }
    let request = HTTPRequest(
      method: .get, url: url, headers: HTTPHeaders(fields),
      // Credentials are sent only to the configured origin.
      credentials: url.origin == address.origin ? credentials : nil, acceptsCompression: true)
    let response: HTTPResponse
    do {
      response = try await transport.send(request)
    } catch let error as HTTPError {
      let failure = RemoteError(error)
      throw RemoteError(code: failure.code, subject: subject, message: failure.message)
    }
    return try answer(response, at: url, knowing: known)
  }

  private func answer(
    _ response: HTTPResponse, at url: RemoteURL, knowing known: FeedMemory.Validators?
  ) throws(RemoteError) -> Answer {
    switch response.status {
    case 200:
      var validators = FeedMemory.Validators()
      validators.etag = response.headers["ETag"].flatMap(Self.storable)
      validators.lastModified = response.headers["Last-Modified"].flatMap(Self.storable)
      validators.movedTo = response.permanentURL ?? (url == address ? nil : url)
      return .feed(text(of: response), validators)
    case 304 where known?.isConditional ?? false: return .unchanged
    default: throw refusal(response)
    }
  }

  /// The feed in UTF-8, from the charset of its Content-Type (RFC 9110 §8.3.2).
  ///
  /// Lenient: servers declare ISO-8859-1 for all texts, so that a text which is valid UTF-8 is read as
  /// that. A text in UTF-16 contains NUL bytes, which no calendar in UTF-8 does.
  private func text(of response: HTTPResponse) -> [UInt8] {
    let body = response.body
    guard let charset = response.headers["Content-Type"].flatMap(Self.charset),
      body.contains(0) || String(validating: body, as: UTF8.self) == nil
    else { return body }
    return charsets(body, charset) ?? body
  }

  /// The `charset` parameter of a Content-Type.
  private static func charset(of contentType: String) -> String? {
    for part in contentType.split(separator: ";").dropFirst() {
      let halves = part.split(separator: "=", maxSplits: 1).map { half in
        half.filter { $0 != " " && $0 != "\t" && $0 != "\"" }
      }
      if halves.count == 2, halves[0].lowercased() == "charset", !halves[1].isEmpty {
        return halves[1]
      }
    }
    return nil
  }

  private func refusal(_ response: HTTPResponse) -> RemoteError {
    let (code, message): (RemoteError.Code, String) =
      switch response.status {
      case 401:
        (.credentials, RemoteError.unauthorized(address, credentials).message)
      case 403: (.forbidden, "the server does not return the feed (status 403)")
      case 404: (.notFound, "the feed was not found (status 404); nothing was deleted")
      case 410:
        (
          .notFound,
          "the feed was removed permanently (status 410); nothing was deleted, and the remote can be "
            + "removed from the configuration"
        )
      case 429, 503: (.temporarilyUnavailable, response.later(subject: subject).message)
      default: (.failed, "the server does not return the feed (status \(response.status))")
      }
    return RemoteError(code: code, subject: subject, message: message)
  }

  /// The name of the feed in errors.
  var subject: String { address.withoutSecret }

  /// A validator that can be stored on one line, or nil.
  private static func storable(_ value: String) -> String? {
    let isPlain = value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    return isPlain && !value.isEmpty && value.utf8.count <= 1024 ? value : nil
  }
}
