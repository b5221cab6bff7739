// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The manager that started the process as a service of the type `notify`, such as systemd.
enum ServiceManager {
  /// Tells the manager that the server accepts connections (sd_notify(3)); does nothing without one.
  static func notifyReady(_ environment: [String: String]) {
    guard let path = environment["NOTIFY_SOCKET"] else { return }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // A name that begins with @ is abstract: its first byte is NUL.
    let bytes = path.utf8.enumerated().map { $0 == 0 && $1 == UInt8(ascii: "@") ? 0 : $1 }
    let isFitting = unsafe withUnsafeMutableBytes(of: &address.sun_path) { place in
      guard bytes.count < place.count else { return false }
      unsafe place.copyBytes(from: bytes)
      return true
    }
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard isFitting, descriptor >= 0 else { return }
    defer { close(descriptor) }
    let size = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
    let message = Array("READY=1".utf8)
    unsafe withUnsafePointer(to: address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = unsafe sendto(descriptor, message, message.count, Int32(MSG_NOSIGNAL), $0, size)
      }
    }
  }
}
