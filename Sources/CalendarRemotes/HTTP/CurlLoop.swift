// SPDX-License-Identifier: Apache-2.0

import CCurl
import Glibc
import Synchronization

/// The single thread that runs all transfers of a transport.
///
/// libcurl blocks while it waits, which a task must not do: the task pool has one thread per core,
/// and a few slow servers would stop all tasks. Here any number of transfers share one wait.
///
///     task ── start, cancel ──► inbox ──► thread: execute commands, drive transfers, wait
///       ▲                                                  │
///       └────────────── continuation ◄── finished ─────────┘
final class CurlLoop: Sendable {
  private enum Command: Sendable {
    case start(CurlTransfer, CheckedContinuation<Void, any Error>)
    case cancel(CurlTransfer)
    case stop
  }

  /// A libcurl handle, used only on the loop's thread, except for waking it.
  @safe private struct Handle: @unchecked Sendable {
    let pointer: OpaquePointer
  }

  private let inbox = Mutex<[Command]>([])
  private let handle: Handle

  /// Starts a loop, or returns nil if memory or a thread is not available.
  init?(connectionsPerHost: Int) {
    guard let pointer = unsafe ccurl_loop_make(connectionsPerHost) else { return nil }
    handle = unsafe Handle(pointer: pointer)
    // The thread retains the loop until it is stopped, and releases it last.
    let owned = unsafe Unmanaged.passRetained(self)
    var thread = pthread_t()
    let status = unsafe pthread_create(&thread, nil, curlThread, owned.toOpaque())
    guard status == 0 else {
      unsafe owned.release()
      return nil
    }
    pthread_detach(thread)
  }

  deinit {
    unsafe ccurl_loop_free(handle.pointer)
  }

  /// Runs a transfer to its end, or until the task is cancelled.
  ///
  /// - Throws: `CancellationError`; other results are in the transfer's outcome.
  func run(_ transfer: CurlTransfer) async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        post(.start(transfer, continuation))
        // If the task was cancelled before the start, its cancel command came too early to have an
        // effect.
        if Task.isCancelled { post(.cancel(transfer)) }
      }
    } onCancel: {
      post(.cancel(transfer))
    }
  }

  /// Ends the thread; no transfer may be running.
  func stop() {
    post(.stop)
  }

  private func post(_ command: Command) {
    inbox.withLock { $0.append(command) }
    unsafe ccurl_loop_wake(handle.pointer)
  }

  private func takeCommands() -> [Command] {
    inbox.withLock { commands in
      defer { commands = [] }
      return commands
    }
  }

  /// A started transfer and the task that waits for it.
  private typealias Running = (transfer: CurlTransfer, waiter: CheckedContinuation<Void, any Error>)

  /// The main function of the thread.
  fileprivate func runThread() {
    ccurl_loop_block_signals()
    var running: [UInt: Running] = [:]
    while true {
      for command in takeCommands() {
        guard obey(command, running: &running) else { return }
      }
      unsafe ccurl_loop_move(handle.pointer)
      while let finished = unsafe ccurl_loop_take_finished(handle.pointer) {
        running.removeValue(forKey: UInt(bitPattern: finished))?.waiter.resume()
      }
      unsafe ccurl_loop_wait(handle.pointer)
    }
  }

  /// Executes a command, and returns false if the loop must end.
  private func obey(_ command: Command, running: inout [UInt: Running]) -> Bool {
    switch command {
    case .start(let transfer, let waiter):
      if unsafe ccurl_loop_add(handle.pointer, transfer.pointer) {
        running[transfer.address] = (transfer, waiter)
      } else {
        waiter.resume(throwing: CancellationError())
      }
    case .cancel(let transfer):
      // The command retains the transfer, so that its address cannot be reused.
      if let entry = running.removeValue(forKey: transfer.address) { abandon(entry) }
    case .stop:
      running.values.forEach(abandon)
      return false
    }
    return true
  }

  private func abandon(_ entry: Running) {
    unsafe ccurl_loop_remove(handle.pointer, entry.transfer.pointer)
    entry.waiter.resume(throwing: CancellationError())
  }
}

/// The entry point of the thread, which takes over the reference from `CurlLoop.init`.
private func curlThread(_ owner: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let owner = unsafe owner else { return nil }
  unsafe Unmanaged<CurlLoop>.fromOpaque(owner).takeRetainedValue().runThread()
  return nil
}
