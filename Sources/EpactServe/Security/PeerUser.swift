// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import Glibc
import NIOCore

/// The user at the other end of a connection on loopback.
///
/// All users of a machine can connect to a port, and can see the arguments of each other's programs, which
/// may have the address with the key. The system knows whose a connection is.
enum PeerUser {
  /// The maximum size of the system's table of connections, in bytes.
  private static let sizeLimit = 16 << 20

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
    let own = getuid()
    for table in ["/proc/net/tcp", "/proc/net/tcp6"] {
      guard var file = try? InputStream(path: table),
        let bytes = try? file.readAll(limit: sizeLimit)
      else { continue }
      let found = user(of: far, to: near, in: String(decoding: bytes, as: UTF8.self))
      if let found { return found != own && found != 0 }
    }
    return false
  }

  /// The user of a connection in the system's table (proc(5), `/proc/net/tcp`); nil if it has none.
  ///
  /// - Parameters:
  ///   - far: The address and the port of the socket, as in the table.
  ///   - near: Those that it is connected to.
  ///   - table: The table.
  /// - Returns: The numeric ID of the user.
  static func user(of far: String, to near: String, in table: String) -> UInt32? {
    for line in table.split(separator: "\n").dropFirst() {
      let words = line.split(separator: " ")
      guard words.count > 7 else { continue }
      // A socket for both protocols has an IPv4 address at the end of an IPv6 one.
      if words[1].hasSuffix(far), words[2].hasSuffix(near) { return UInt32(words[7]) }
    }
    return nil
  }

  /// An address and its port as in the table; nil for one that is not on loopback.
  static func entry(_ address: SocketAddress) -> String? {
    guard let port = address.port, let text = address.ipAddress else { return nil }
    let end = ":" + hex(port >> 8) + hex(port & 0xFF)
    if text == "::1" { return "00000000000000000000000001000000" + end }
    let bytes = text.split(separator: ".").compactMap { Int($0) }
    guard bytes.count == 4, bytes[0] == 127 else { return nil }
    // The table has the bytes of an address as a number of a machine whose lowest byte comes first.
    return bytes.reversed().map(hex).joined() + end
  }

  private static func hex(_ byte: Int) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }
}
