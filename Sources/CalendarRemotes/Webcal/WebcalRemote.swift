// SPDX-License-Identifier: Apache-2.0

import CalendarModel
public import CalendarSync
public import CivilTime

/// A read-only calendar that is published as one file at a `webcal` or `https` address.
///
/// The address of a private feed is a secret like a password. Printed texts, logs and grants
/// contain only the server's name and a digest.
public struct WebcalRemote: Remote {
  private let address: RemoteURL
  private let credentials: Credentials?
  private let transport: any HTTPTransport
  private let now: @Sendable () -> Instant

  /// Describes a feed without sending a request.
  ///
  /// - Parameters:
  ///   - address: The address of the feed.
  ///   - credentials: The credentials, or nil for a public feed.
  ///   - transport: The transport that sends the requests.
  ///   - now: The clock, for feeds that declare a refresh interval.
  public init(
    address: RemoteURL, credentials: Credentials?, transport: any HTTPTransport,
    now: @escaping @Sendable () -> Instant
  ) {
    self.address = address
    self.credentials = credentials
    self.transport = transport
    self.now = now
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
  /// - Throws: `AccessError` with the code `needsFull`.
  public func openAppender() async throws -> any RemoteAppender {
    throw AccessError(
      code: .needsFull,
      message:
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
      source: FeedSource(address: address, credentials: credentials, transport: transport),
      location: identity.location, now: now)
  }
}

extension RemoteURL {
  /// The server and an ellipsis, for showing an address whose path is a secret.
  package var withoutSecret: String { "\(origin)/…" }
}
