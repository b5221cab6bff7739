// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import Glibc

/// The user at the other end of a connection on loopback, by the system's table of connections.
package enum ConnectionOwner {
  /// The maximum size of the system's table of connections, in bytes.
  private static let sizeLimit = 16 << 20

  /// Whether a connection is certainly that of another user than that of this process.
  ///
  /// A connection that its process has closed belongs to root.
  ///
  /// - Parameters:
  ///   - far: The entry of the other end.
  ///   - near: The entry of this end.
  /// - Returns: Whether it is; false if the system does not state it.
  package static func isOther(_ far: String, _ near: String) -> Bool {
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
  package static func user(of far: String, to near: String, in table: String) -> UInt32? {
    for line in table.split(separator: "\n").dropFirst() {
      let words = line.split(separator: " ")
      guard words.count > 7 else { continue }
      // A socket for both protocols has an IPv4 address at the end of an IPv6 one.
      if words[1].hasSuffix(far), words[2].hasSuffix(near) { return UInt32(words[7]) }
    }
    return nil
  }

  /// The entry of a port at an IPv4 address of four numbers.
  package static func entry(_ address: [Int], _ port: Int) -> String {
    // The table has the bytes of an address as a number of a machine whose lowest byte comes first.
    address.reversed().map(hex).joined() + end(port)
  }

  /// The entry of a port at the IPv6 address of loopback.
  package static func loopback6(_ port: Int) -> String {
    "00000000000000000000000001000000" + end(port)
  }

  private static func end(_ port: Int) -> String { ":" + hex(port >> 8) + hex(port & 0xFF) }

  private static func hex(_ byte: Int) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }
}
