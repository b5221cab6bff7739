// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

/// The names of the files that are opened in a folder, in order, and how often it is listed.
public final class OpenedFiles {
  private let queue: Int32
  /// Whether the folder was listed since the last call of ``names()``.
  public private(set) var isListed = false

  /// Waits for a queue if the tests beside have all that the system allows a user.
  public init(in folder: String) async throws {
    var queue = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    while queue < 0, errno == EMFILE {
      try await Task.sleep(for: .milliseconds(20))
      queue = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    }
    self.queue = queue
    try #require(unsafe inotify_add_watch(queue, folder, UInt32(IN_OPEN | IN_ACCESS)) >= 0)
  }

  deinit { close(queue) }

  /// The names since the last call.
  public func names() -> [String] {
    var names: [String] = []
    isListed = false
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = unsafe bytes.withUnsafeMutableBytes {
        unsafe read(queue, $0.baseAddress, $0.count)
      }
      guard count > 0 else { return names.sorted() }
      var place = 0
      while place + 16 <= count {
        let length = (0..<4).reduce(0) { $0 | Int(bytes[place + 12 + $1]) << (8 * $1) }
        let name = bytes[place + 16..<place + 16 + length].prefix { $0 != 0 }
        let isAccess = bytes[place + 4] & UInt8(IN_ACCESS) != 0
        if isAccess {
          isListed = isListed || name.isEmpty
        } else if !name.isEmpty {
          names.append(String(decoding: name, as: UTF8.self))
        }
        place += 16 + length
      }
    }
  }
}
