// SPDX-License-Identifier: Apache-2.0

/// Looks at the address of a server before anything is sent to it.
enum AddressCheck {
  /// What is wrong with an address, or nil.
  static func problem(of url: String) -> String? {
    guard let scheme = url.firstRange(of: "://") else {
      return "expected \"url\" to begin with https://, found \"\(url)\""
    }
    let authority = url[scheme.upperBound...].prefix { !"/?#".contains($0) }
    // The address is not repeated here: what stands before the @ may be a password.
    guard !authority.contains("@") else {
      return "\"url\" holds a user name; write it as \"username\", and the password by itself"
    }
    guard !authority.isEmpty else { return "\"url\" names no server" }
    switch url[..<scheme.lowerBound].lowercased() {
    case "https": return nil
    case "http" where isLoopback(authority): return nil
    case "http":
      return "\"url\" begins with http://, which would send the password in the clear; use https://"
    default: return "expected \"url\" to begin with https://, found \"\(url)\""
    }
  }

  private static func isLoopback(_ authority: Substring) -> Bool {
    if authority.hasPrefix("[") { return authority.hasPrefix("[::1]") }
    let host = authority.prefix { $0 != ":" }.lowercased()
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
    return host == "localhost"
      || numbers.count == 4 && numbers[0] == "127" && numbers.allSatisfy { UInt8($0) != nil }
  }
}
