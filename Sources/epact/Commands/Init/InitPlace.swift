// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes

/// Where calendars are, as far as an address tells by itself.
enum InitPlace: Sendable, CustomStringConvertible {
  /// A folder, or a file that ends in `.ics`: an absolute path.
  case path(String)
  /// A calendar that is published as a file.
  case feed(String)
  /// A host, an account or a calendar on a server.
  case account(InitAccount)

  /// Reads what a person typed; nothing is looked up but whether a folder is there.
  ///
  /// - Throws: `Failure` or `RemoteError` if it can be none of these.
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

  /// Whether an address is that of a calendar that is published as a file.
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
