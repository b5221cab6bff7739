// SPDX-License-Identifier: Apache-2.0

package import Glibc

/// The address of a Unix socket, as the functions of the system take it (unix(7)).
package enum UnixSocketAddress {
  /// Calls a function with the address of a path.
  ///
  /// - Parameters:
  ///   - path: The path; one that begins with `@` is a name that is not in the file system.
  ///   - body: The function.
  /// - Returns: The result; nil if the path is too long.
  package static func with<Result>(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result? {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // The first byte of a name that is not in the file system is NUL.
    let bytes = path.utf8.enumerated().map { $0 == 0 && $1 == UInt8(ascii: "@") ? 0 : $1 }
    let isFitting = unsafe withUnsafeMutableBytes(of: &address.sun_path) { place in
      guard bytes.count < place.count else { return false }
      unsafe place.copyBytes(from: bytes)
      return true
    }
    guard isFitting else { return nil }
    let size = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
    return unsafe withUnsafePointer(to: address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, size) }
    }
  }
}
