// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// A change of the machine's clock or network.
public enum MachineEvent: String, Hashable, Sendable, CaseIterable {
  /// The machine resumed from suspend.
  case resumed
  /// The wall clock was set.
  case clockSet
  /// The network has an address that it did not have before.
  case networkJoined
}

/// Reports resumes from suspend, changes of the wall clock, and new addresses of the network, as
/// long as it exists.
///
/// The system reports these events: a timer that is cancelled when the clock is set
/// (`TFD_TIMER_CANCEL_ON_SET`), and a socket that receives changes of addresses (`NETLINK_ROUTE`).
/// Between events the watch uses no processor time. Events of a kind that the system does not
/// report are missing.
public final class MachineWatch: Sendable {
  /// The end of a pipe; closing it ends the loop.
  private let end: Int32

  /// Begins to watch; events after the return are reported.
  ///
  /// - Parameter onEvent: The function to call with each event, on a queue of the watch.
  /// - Throws: `StoreError` if the process has too many open files.
  public init(_ onEvent: @escaping @Sendable (MachineEvent) -> Void) throws(StoreError) {
    let pipe: (reading: Int32, writing: Int32)
    do throws(SystemCalls.Failure) {
      pipe = try SystemCalls.makePipe()
    } catch {
      throw StoreError(error, path: "", cannot: "watch the machine")
    }
    end = pipe.writing
    let start = MachineLoop()
    DispatchQueue(label: "org.epact.machine-watch").async {
      var loop = start
      loop.run(until: pipe.reading, onEvent)
    }
  }

  deinit { SystemCalls.close(end) }

  /// The addresses of this machine in networks that are up, sorted, without loopback and link-local ones.
  package static func networkAddresses() -> [String] { SystemCalls.networkAddresses().sorted() }
}

/// The loop of a watch.
private struct MachineLoop: Sendable {
  private let clock = try? SystemCalls.openClockWatch()
  private let network = try? SystemCalls.openNetworkWatch()
  private var changes = MachineChanges(
    suspended: SystemCalls.suspendedSeconds(), addresses: SystemCalls.networkAddresses())

  mutating func run(until end: Int32, _ onEvent: @Sendable (MachineEvent) -> Void) {
    let watched = [clock, network].compactMap(\.self)
    while true {
      let ready = SystemCalls.wait(for: [end] + watched, milliseconds: -1)
      if ready[0] { break }
      for (descriptor, isReady) in zip(watched, ready.dropFirst()) where isReady {
        if descriptor == clock {
          SystemCalls.takeClockChange(descriptor)
          onEvent(changes.clockChange(suspended: SystemCalls.suspendedSeconds()))
        } else {
          SystemCalls.takeNetworkChanges(descriptor)
          let event = changes.networkChange(addresses: SystemCalls.networkAddresses())
          if let event { onEvent(event) }
        }
      }
    }
    for descriptor in watched + [end] { SystemCalls.close(descriptor) }
  }
}

/// Distinguishes the events of a machine by what it reports before and after them.
package struct MachineChanges: Sendable {
  /// The least time of a suspend in seconds; the clocks are not read at the same instant.
  private static let shortest = 0.5

  private var suspended: Double
  private var addresses: Set<String>

  /// Takes the present state.
  ///
  /// - Parameters:
  ///   - suspended: The seconds that the machine has been suspended since its start.
  ///   - addresses: The addresses of the networks that are up.
  package init(suspended: Double, addresses: Set<String>) {
    self.suspended = suspended
    self.addresses = addresses
  }

  /// The event for a change of the wall clock: a resume if the machine was suspended in between.
  package mutating func clockChange(suspended new: Double) -> MachineEvent {
    defer { suspended = new }
    return new - suspended > Self.shortest ? .resumed : .clockSet
  }

  /// The event for a change of the network; nil if there is no new address.
  ///
  /// Routers announce the same addresses every few minutes, and lost ones are no reason to connect.
  package mutating func networkChange(addresses new: Set<String>) -> MachineEvent? {
    defer { addresses = new }
    return new.isSubset(of: addresses) ? nil : .networkJoined
  }
}
