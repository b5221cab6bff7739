// SPDX-License-Identifier: Apache-2.0

import Epact
import NIOCore

/// The user at the other end of a connection on loopback.
///
/// All users of a machine can connect to a port, and can see the arguments of each other's programs, which
/// may have the address with the key. The system knows whose a connection is.
enum PeerUser {
  /// Whether a connection is certainly that of another user.
  ///
  /// A connection that the process has closed belongs to root; what it asks for gets no answer.
  ///
  /// - Parameters:
  ///   - remote: The address of the other end.
  ///   - local: The address of this end.
  /// - Returns: Whether it is; false if the system does not tell.
  static func isOther(_ remote: SocketAddress?, _ local: SocketAddress?) -> Bool {
    guard let remote, let local, let far = entry(remote), let near = entry(local) else {
      return false
    }
    return ConnectionOwner.isOther(far, near)
  }

  /// An address and its port as in the table; nil for one that is not on loopback.
  static func entry(_ address: SocketAddress) -> String? {
    guard let port = address.port, let text = address.ipAddress else { return nil }
    if text == "::1" { return ConnectionOwner.loopback6(port) }
    let bytes = text.split(separator: ".").compactMap { Int($0) }
    guard bytes.count == 4, bytes[0] == 127 else { return nil }
    return ConnectionOwner.entry(bytes, port)
  }
}
