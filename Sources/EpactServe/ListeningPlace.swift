// SPDX-License-Identifier: Apache-2.0

import Epact
import Glibc
import Hummingbird
import HummingbirdCore
import NIOCore
import NIOPosix

/// The address or the Unix socket at which a server listens.
struct ListeningPlace: Sendable {
  /// The place as the server takes it.
  let address: BindAddress
  private let text: String
  /// The permissions that new files lacked before; nil without a socket.
  private let mask: mode_t?

  /// Prepares a place.
  ///
  /// A socket gets the permissions 0600: until ``end()``, new files of the process do.
  ///
  /// - Throws: `EpactError` if another process listens at the socket.
  init(_ options: PageServer.Options) throws(EpactError) {
    guard let path = options.socket else {
      address = .hostname(options.address, port: options.port)
      text =
        options.address.contains(":")
        ? "[\(options.address)]:\(options.port)" : "\(options.address):\(options.port)"
      mask = nil
      return
    }
    text = path
    // The server removes a socket at the path, which is that of a process that was killed.
    guard !Self.isAnswering(path) else { throw Self.taken(path) }
    address = .unixDomainSocket(path: path)
    mask = umask(0o177)
  }

  /// States that the server listens.
  func end() {
    if let mask { umask(mask) }
  }

  /// An error of listening, with the place.
  func error(of error: any Error) -> EpactError {
    switch error {
    case let error as EpactError: error
    case let error as IOError where error.errnoCode == EADDRINUSE: Self.taken(text)
    case is UnixDomainSocketPathWrongType:
      EpactError(.configuration, "\(text) is there already, and is not a socket", subject: text)
    default: EpactError(.unavailable, "cannot listen at \(text): \(error)", subject: text)
    }
  }

  private static func taken(_ place: String) -> EpactError {
    EpactError(
      .unavailable, "another program listens at \(place)", subject: place,
      remedy: .other("If it is a page of yours, use that one, or choose another place."))
  }

  /// Whether a process accepts connections at a socket.
  private static func isAnswering(_ path: String) -> Bool {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return unsafe UnixSocketAddress.with(path) { unsafe connect(descriptor, $0, $1) } == 0
  }
}

extension PageServer.Options {
  /// The addresses at which browsers reach the server.
  ///
  /// No browser reaches `0.0.0.0` or `::`, which mean every address of this machine: they are replaced by
  /// loopback and the addresses in networks. A server at `::` also answers IPv4.
  ///
  /// - Parameters:
  ///   - port: The port at which the server listens.
  ///   - networkAddresses: The addresses of this machine in networks.
  /// - Returns: The addresses, without a path.
  func addresses(port: Int, networkAddresses: [String] = []) -> [String] {
    let named = hosts.map { "https://\($0)" }
    guard socket == nil else { return named.isEmpty ? ["http://localhost"] : named }
    let own =
      switch address {
      case "0.0.0.0": ["127.0.0.1"] + networkAddresses.filter { !$0.contains(":") }
      case "::": ["127.0.0.1"] + networkAddresses
      default: [address]
      }
    return own.map { "http://\($0.contains(":") ? "[\($0)]" : $0):\(port)" } + named
  }
}
