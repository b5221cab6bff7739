// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import Epact

/// The location of the user's calendars, as entered.
struct InitAccount: Sendable {
  /// Uninformative parts of host names.
  private static let common: Set<Substring> = [
    "www", "dav", "caldav", "calendar", "calendars", "cloud",
  ]

  /// The entered text.
  let text: String

  private var isAddress: Bool { text.contains("://") }

  /// The assumed user name: the entire e-mail address.
  var user: String? { !isAddress && text.contains("@") ? text : nil }

  /// The host with the port, if any.
  private var authority: Substring {
    let rest = isAddress ? text.split(separator: "://").last ?? "" : text[...]
    return rest.prefix { $0 != "/" }.split(separator: "@").last ?? ""
  }

  /// The host, without a port.
  var host: String {
    guard authority.hasPrefix("[") else { return String(authority.prefix { $0 != ":" }) }
    return String(authority.prefix { $0 != "]" }) + "]"
  }

  /// A name for the account: the first informative part of the host, or the whole numeric address.
  var name: String {
    let isNumbers = host.hasPrefix("[") || host.allSatisfy { $0.isNumber || $0 == "." }
    if isNumbers || !host.contains("."), !authority.isEmpty {
      return authority.split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
    }
    let parts = host.split(separator: ".")
    return String(parts.first { !Self.common.contains($0) } ?? parts.first ?? "calendar")
  }

  /// Rejects text that is not an address, a host or an e-mail address.
  ///
  /// - Throws: `RemoteError` or `Failure`.
  func validate() throws {
    guard !isAddress else {
      _ = try RemoteURL(parsing: text)
      return
    }
    let isHost = host.contains { $0.isLetter || $0.isNumber }
    guard isHost, !text.hasPrefix("@"), !text.hasSuffix("@"), !text.contains(where: \.isWhitespace)
    else {
      throw Failure(
        .usage, "expected an e-mail address, a host, an address or a folder, found \"\(text)\"",
        hint: "As ada@example.org, dav.example.org, https://example.org/dav/ or ~/calendars/shared")
    }
    _ = try RemoteURL(parsing: "https://\(text.split(separator: "@").last ?? "")")
  }

  /// The places to search, the most probable first.
  ///
  /// - Throws: `RemoteError` if the text is not an address, a host or an e-mail address.
  func places(_ lookup: any ServiceLookup) async throws -> [AccountPlaces.Place] {
    try await AccountPlaces(of: text, lookup: lookup).places
  }

  /// The address of the calendar itself, used if no lookup is allowed.
  ///
  /// - Throws: `Failure` if the text is not such an address.
  func exactAddress() throws -> String {
    let address = isAddress ? try? RemoteURL(parsing: text) : nil
    guard let address, address.path != "/" else {
      throw Failure(
        .configuration,
        "under write-only access nothing may be looked up: expected the address of the calendar itself, found \"\(text)\"",
        hint: "It begins with https:// and ends with a slash; your calendar program may show it.")
    }
    return address.description
  }
}
