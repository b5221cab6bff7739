// SPDX-License-Identifier: Apache-2.0

import EpactServe
import Glibc

/// The manager that started the process as a service of the type `notify`, such as systemd.
enum ServiceManager {
  /// Tells the manager that the server accepts connections (sd_notify(3)); does nothing without one.
  static func notifyReady(_ environment: [String: String]) {
    guard let path = environment["NOTIFY_SOCKET"] else { return }
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let message = Array("READY=1".utf8)
    _ = unsafe UnixSocketAddress.with(path) {
      unsafe sendto(descriptor, message, message.count, Int32(MSG_NOSIGNAL), $0, $1)
    }
  }
}
