// SPDX-License-Identifier: Apache-2.0

import CFiles
import Glibc

/// The system calls for watching folders (inotify).
extension SystemCalls {
  /// An event in a watched folder.
  struct FolderEvent {
    /// The number of the watch, or a negative number in an overflow.
    let watch: Int32
    /// The kind, as a bit of `IN_…`.
    let mask: UInt32
    /// The name of the entry; empty if the event is about the folder itself.
    let name: ArraySlice<UInt8>

    /// Whether the queue of the system was full, so that events were lost.
    var isOverflow: Bool { mask & UInt32(IN_Q_OVERFLOW) != 0 }

    /// Whether a file was written and is still open, or its mode or times were changed.
    var isDetail: Bool { mask & UInt32(IN_MODIFY | IN_ATTRIB) != 0 }

    /// Whether the watch has ended, or its folder no longer is at its path.
    var isEnd: Bool {
      mask & UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED) != 0
    }
  }

  /// Creates a queue of events.
  static func makeEventQueue() throws(Failure) -> Int32 {
    let queue = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard queue >= 0 else { throw Failure(number: errno) }
    return queue
  }

  /// Adds a folder to a queue and returns the number of the watch; one folder has one number.
  static func watch(_ path: String, in queue: Int32) throws(Failure) -> Int32 {
    let mask =
      IN_CREATE | IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE
      | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
    let watch = unsafe inotify_add_watch(queue, path, UInt32(mask))
    guard watch >= 0 else { throw Failure(number: errno) }
    return watch
  }

  /// Removes a folder from a queue; it may be gone already.
  static func endWatch(_ watch: Int32, in queue: Int32) {
    _ = inotify_rm_watch(queue, watch)
  }

  /// The next events of a queue; empty if there are none now.
  static func events(in queue: Int32) throws(Failure) -> [FolderEvent] {
    let bytes: [UInt8]
    do throws(Failure) {
      bytes = try read(queue, atMost: 1 << 16)
    } catch {
      guard error.number == EAGAIN else { throw error }
      return []
    }
    var events: [FolderEvent] = []
    var rest = bytes[...]
    // The number, the kind, a cookie and the length of the name: four numbers of four bytes.
    while rest.count >= 16 {
      let numbers = (0..<4).map { number(in: rest, at: $0) }
      let end = min(16 + Int(numbers[3]), rest.count)
      let name = rest.dropFirst(16).prefix(end - 16).prefix { $0 != 0 }
      events.append(
        FolderEvent(watch: Int32(bitPattern: numbers[0]), mask: numbers[1], name: name))
      rest = rest.dropFirst(end)
    }
    return events
  }

  /// A number in the byte order of the machine.
  private static func number(in bytes: ArraySlice<UInt8>, at index: Int) -> UInt32 {
    let start = bytes.startIndex + 4 * index
    let value = bytes[start..<start + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return UInt32(littleEndian: value)
  }

  /// The number of this process.
  static var processNumber: Int32 { getpid() }

  /// Creates a pipe whose reading end becomes ready once the writing end is closed.
  static func makePipe() throws(Failure) -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    guard unsafe cfiles_make_pipe(&ends) == 0 else { throw Failure(number: errno) }
    return (ends[0], ends[1])
  }

  /// Waits until one of the descriptors is ready or has ended, or for a time; negative for any
  /// time.
  ///
  /// It returns for each descriptor whether it is ready.
  static func wait(for descriptors: [Int32], milliseconds: Int32) -> [Bool] {
    var states = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    _ = try? retrying { unsafe poll(&states, nfds_t(descriptors.count), milliseconds) }
    return states.map { $0.revents != 0 }
  }
}

/// The system calls for watching the machine's clock and network.
extension SystemCalls {
  /// Opens a descriptor that becomes ready when the wall clock is set or the machine resumes.
  static func openClockWatch() throws(Failure) -> Int32 {
    try retrying { cfiles_open_clock_watch() }
  }

  /// Takes the notice of a ready clock watch, and waits for the next one.
  static func takeClockChange(_ descriptor: Int32) {
    _ = cfiles_take_clock_change(descriptor)
  }

  /// Opens a descriptor that becomes ready when an address or a route of the network changes.
  static func openNetworkWatch() throws(Failure) -> Int32 {
    try retrying { cfiles_open_network_watch() }
  }

  /// Takes the notices of a ready network watch.
  static func takeNetworkChanges(_ descriptor: Int32) {
    cfiles_take_network_changes(descriptor)
  }

  /// The addresses of the networks that are up, without loopback and link-local ones.
  static func networkAddresses() -> Set<String> {
    var buffer = [CChar](repeating: 0, count: 1 << 16)
    let length = unsafe cfiles_list_addresses(&buffer, buffer.count)
    guard length > 0 else { return [] }
    let bytes = buffer.prefix(length).map { UInt8(bitPattern: $0) }
    return Set(bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) })
  }

  /// The seconds that the machine has been suspended since its start.
  static func suspendedSeconds() -> Double {
    var (all, awake) = (timespec(), timespec())
    unsafe clock_gettime(CLOCK_BOOTTIME, &all)
    unsafe clock_gettime(CLOCK_MONOTONIC, &awake)
    return Double(all.tv_sec - awake.tv_sec) + Double(all.tv_nsec - awake.tv_nsec) / 1e9
  }
}
