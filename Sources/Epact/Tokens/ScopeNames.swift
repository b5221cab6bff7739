// SPDX-License-Identifier: Apache-2.0

/// The names of scopes, and which of them include others.
package enum ScopeNames {
  /// The prefix of Google's scopes.
  static let google = "https://www.googleapis.com/auth/"
  /// The prefix that Microsoft adds to the names of its scopes.
  private static let graph = "https://graph.microsoft.com/"
  /// Requests to a server rather than permissions; servers do not list them as granted.
  private static let requests: Set = ["offline_access", "openid", "profile", "email"]

  /// The scopes that include a scope, of Google and Microsoft.
  private static let wider: [String: [String]] = [
    google + "calendar.events.readonly": [
      google + "calendar.readonly", google + "calendar.events", google + "calendar",
    ],
    google + "calendar.events.owned": [google + "calendar.events", google + "calendar"],
    google + "calendar.events": [google + "calendar"],
    google + "calendar.calendarlist.readonly": [
      google + "calendar.calendarlist", google + "calendar.readonly", google + "calendar",
    ],
    google + "calendar.calendarlist": [google + "calendar"],
    google + "calendar.calendars": [google + "calendar"],
    "calendars.read": ["calendars.readwrite"],
  ]

  /// The scopes that are missing in the granted ones.
  ///
  /// - Parameters:
  ///   - scopes: The needed scopes.
  ///   - granted: The granted scopes.
  /// - Returns: The missing ones, in order.
  package static func missing(_ scopes: [String], in granted: [String]) -> [String] {
    let granted = Set(granted.map(plain))
    return scopes.filter { scope in
      let name = plain(scope)
      return !requests.contains(name) && !granted.contains(name)
        && !(wider[name] ?? []).contains(where: granted.contains)
    }
  }

  /// The name of a scope without the prefix of Microsoft, whose names are case-insensitive.
  private static func plain(_ scope: String) -> String {
    if scope.lowercased().hasPrefix(graph) { return scope.dropFirst(graph.count).lowercased() }
    return scope.hasPrefix("Calendars.") ? scope.lowercased() : scope
  }
}
