// SPDX-License-Identifier: Apache-2.0

/// The deviations of a server from the standards that must be known in advance.
///
/// All other deviations are detected from responses. These are not detectable, because the
/// responses look valid.
struct ServerQuirks: Hashable, Sendable {
  /// Whether the server ignores If-Match and If-None-Match.
  var ignoresConditions = false
  /// Whether the server ignores `If-None-Match: *` and replaces existing items.
  var ignoresAbsence = false
  /// Whether the ctag and the sync token are timestamps in seconds.
  var countsInSeconds = false
  /// Whether an item that was deleted and created again can have its old ETag.
  var reusesTags = false

  init() {}

  /// Detects the quirks of a server from its name and URL.
  ///
  /// A reverse proxy often hides the name of SOGo, so that its usual path is also checked.
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
  /// Whether the URL belongs to Google, whose responses do not reveal its deviations.
  var isOfGoogle: Bool {
    ["google.com", "googleusercontent.com"].contains { domain in
      origin.host == domain || origin.host.hasSuffix(".\(domain)")
    }
  }
}
