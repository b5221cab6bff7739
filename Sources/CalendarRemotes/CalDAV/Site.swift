// SPDX-License-Identifier: Apache-2.0

import CNames

/// Which servers belong together: those under one domain that somebody has registered.
///
/// Only the public suffix list knows that `p42-caldav.icloud.com` and `caldav.icloud.com` are of one
/// owner, and that `a.co.uk` and `b.co.uk` are not.
package enum Site {
  /// Whether credentials for one server may be sent to the other: it is the same one, or both are
  /// spoken to with encryption on the usual port and belong to one registered domain.
  package static func isSame(_ left: RemoteURL.Origin, _ right: RemoteURL.Origin) -> Bool {
    if left == right { return true }
    guard left.scheme == .https, right.scheme == .https, left.port == 443, right.port == 443,
      let domain = registeredDomain(of: left.host)
    else { return false }
    return domain == registeredDomain(of: right.host)
  }

  /// Whether a host belongs to the registered domain of another.
  static func isSame(host: String, as other: String) -> Bool {
    guard let domain = registeredDomain(of: other) else { return host == other }
    return domain == registeredDomain(of: host)
  }

  /// The registered domain of a host in lower case; nil for an address, and for a public suffix.
  static func registeredDomain(of host: String) -> String? {
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    guard labels.count > 1, !host.hasPrefix("["), !(labels.last?.allSatisfy(\.isNumber) ?? true)
    else { return nil }
    let offset = unsafe cnames_registered_domain(host)
    guard offset >= 0, offset < host.utf8.count else { return nil }
    return String(decoding: host.utf8.dropFirst(offset), as: UTF8.self)
  }
}
