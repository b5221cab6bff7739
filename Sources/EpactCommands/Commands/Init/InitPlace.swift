// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import Epact

/// A location of calendars, classified by its address.
enum InitPlace: Sendable, CustomStringConvertible {
  /// The absolute path of a folder, or of a file that ends in `.ics`.
  case path(String)
  /// A calendar that is published as a file.
  case feed(String)
  /// A host, an account or a calendar on a server.
  case account(InitAccount)

  /// Parses the user's input; only the existence of a path is checked.
  ///
  /// - Throws: `Failure` or `RemoteError` if the input is invalid.
  init(_ text: String, paths: PathResolver) throws {
    if ["/", "~", "."].contains(where: text.hasPrefix) {
      let path = paths.absolute(text)
      guard FileMode(path) != nil else {
        throw Failure(
          .nothingDone, "there is nothing at \(path)",
          hint: "If it is new, make its folder: mkdir -p \(ShellWord(path))")
      }
      self = .path(path)
    } else if Self.isFeed(text) {
      _ = try RemoteURL(parsingFeed: text)
      self = .feed(text)
    } else {
      let account = InitAccount(text: text)
      try account.validate()
      self = .account(account)
    }
  }

  /// Whether an address is that of a published calendar file.
  private static func isFeed(_ address: String) -> Bool {
    let text = address.lowercased()
    let path = text.prefix { $0 != "?" && $0 != "#" }
    return text.hasPrefix("webcal") || text.hasPrefix("http") && path.hasSuffix(".ics")
  }

  /// The path or the host.
  var description: String {
    switch self {
    case .path(let path): path
    case .feed(let address): InitAccount(text: address).host
    case .account(let account): account.host
    }
  }
}
