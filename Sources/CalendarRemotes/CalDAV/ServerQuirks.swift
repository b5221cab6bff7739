// SPDX-License-Identifier: Apache-2.0

/// What a server does otherwise than the standards say, as far as it has to be known beforehand.
///
/// Everything else is found out by what a server answers; these few cannot be, because the answer
/// looks right.
struct ServerQuirks: Hashable, Sendable {
  /// Whether the server replaces and deletes whatever If-Match and If-None-Match say.
  var ignoresConditions = false
  /// Whether the server takes `If-None-Match: *` for nothing, and replaces what it should leave.
  var ignoresAbsence = false
  /// Whether the tag and the token of a calendar are counted in seconds.
  var countsInSeconds = false
  /// Whether an item that was deleted and made again may have the tag of the old one.
  var reusesTags = false

  init() {}

  /// The quirks of the server that gave an answer.
  ///
  /// The name of SOGo is often hidden by a server before it, so its usual path is a sign too.
  init(server: String, url: RemoteURL) {
    ignoresAbsence = url.isOfGoogle
    guard server.contains("SOPE") || server.contains("SOGo") || url.path.hasPrefix("/SOGo/") else {
      return
    }
    ignoresConditions = true
    ignoresAbsence = true
    countsInSeconds = true
    reusesTags = true
  }
}

extension RemoteURL {
  /// Whether the address is one of Google's, whose answers do not tell what is special about them.
  var isOfGoogle: Bool {
    ["google.com", "googleusercontent.com"].contains { domain in
      origin.host == domain || origin.host.hasSuffix(".\(domain)")
    }
  }
}
