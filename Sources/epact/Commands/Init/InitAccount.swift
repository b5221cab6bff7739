// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes

/// What a person typed to say where their calendars are.
struct InitAccount: Sendable {
  /// Parts of names of hosts that tell nothing.
  private static let common: Set<Substring> = [
    "www", "dav", "caldav", "calendar", "calendars", "cloud",
  ]

  /// What was typed.
  let text: String

  private var isAddress: Bool { text.contains("://") }

  /// The user name, as far as it can be guessed: of an e-mail address it is all of it.
  var user: String? { !isAddress && text.contains("@") ? text : nil }

  /// The host, and the port if there is one.
  private var authority: Substring {
    let rest = isAddress ? text.split(separator: "://").last ?? "" : text[...]
    return rest.prefix { $0 != "/" }.split(separator: "@").last ?? ""
  }

  /// The host, without a port.
  var host: String {
    guard authority.hasPrefix("[") else { return String(authority.prefix { $0 != ":" }) }
    return String(authority.prefix { $0 != "]" }) + "]"
  }

  /// A name for it: the first part of the host that tells something, or all of an address of numbers.
  var name: String {
    let isNumbers = host.hasPrefix("[") || host.allSatisfy { $0.isNumber || $0 == "." }
    if isNumbers || !host.contains("."), !authority.isEmpty {
      return authority.split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
    }
    let parts = host.split(separator: ".")
    return String(parts.first { !Self.common.contains($0) } ?? parts.first ?? "calendar")
  }

  /// Refuses what can be no address, host or e-mail address.
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

  /// Where to look, the likeliest first.
  ///
  /// - Throws: `RemoteError` if it is no address, host or e-mail address.
  func places(_ lookup: any ServiceLookup) async throws -> [AccountPlaces.Place] {
    try await AccountPlaces(of: text, lookup: lookup).places
  }

  /// The address of the calendar itself, where nothing may be looked up.
  ///
  /// - Throws: `Failure` if it can be none.
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
