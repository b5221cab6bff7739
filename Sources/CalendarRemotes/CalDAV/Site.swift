// SPDX-License-Identifier: Apache-2.0

import CNames

/// Comparison of servers by registered domain.
///
/// Only the public suffix list shows that `p42-caldav.icloud.com` and `caldav.icloud.com` have the
/// same owner, and that `a.co.uk` and `b.co.uk` do not.
package enum Site {
  /// Whether credentials for one server may be sent to another.
  ///
  /// The servers must be the same, or both use HTTPS on port 443 and have the same registered
  /// domain.
  package static func isSame(_ left: RemoteURL.Origin, _ right: RemoteURL.Origin) -> Bool {
    if left == right { return true }
    guard left.scheme == .https, right.scheme == .https, left.port == 443, right.port == 443,
      let domain = registeredDomain(of: left.host)
    else { return false }
    return domain == registeredDomain(of: right.host)
  }

  /// Whether a host has the same registered domain as another.
  static func isSame(host: String, as other: String) -> Bool {
    guard let domain = registeredDomain(of: other) else { return host == other }
    return domain == registeredDomain(of: host)
  }

  /// Returns the registered domain of a lower-case host; nil for an IP address or a public suffix.
  static func registeredDomain(of host: String) -> String? {
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    guard labels.count > 1, !host.hasPrefix("["), !(labels.last?.allSatisfy(\.isNumber) ?? true)
    else { return nil }
    let offset = unsafe cnames_registered_domain(host)
    guard offset >= 0, offset < host.utf8.count else { return nil }
    return String(decoding: host.utf8.dropFirst(offset), as: UTF8.self)
  }
}
