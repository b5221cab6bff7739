// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// Work on the parts of an array on all cores, for callers that cannot suspend.
///
/// The work is done on threads of its own, because a task that waits for other tasks can block all
/// threads of the task pool. Each part is done once, unlike by `SharedWork`, so that no file is
/// read twice.
package struct ThreadedWork<Part: Sendable, Output: Sendable>: Sendable {
  private let work: @Sendable (Part) -> Output

  /// Creates the work on a part.
  package init(_ work: @escaping @Sendable (Part) -> Output) {
    self.work = work
  }

  /// Works on all parts and returns the results in their order.
  package func run(_ parts: [Part]) -> [Output] {
    let helpers = min(Self.cores, parts.count) - 1
    guard helpers > 0 else { return parts.map(work) }
    let job = Job(parts, work)
    let threads = (0..<helpers).compactMap { _ in HelperThread { job.run() } }
    job.run()
    for thread in threads { thread.wait() }
    return job.outputs
  }

  /// Works on portions of some elements and returns the results in their order.
  package func run<Element>(
    _ elements: [Element], inPortionsOf size: Int
  ) -> [Output] where Part == [Element] {
    run(
      stride(from: 0, to: elements.count, by: size).map {
        Array(elements[$0..<min($0 + size, elements.count)])
      })
  }

  /// The number of cores, at most 8.
  private static var cores: Int { min(max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1), 8) }

  /// The parts, each of which one thread takes.
  private final class Job: Sendable {
    private let parts: [Part]
    private let work: @Sendable (Part) -> Output
    private let next = Atomic(0)
    private let results = Mutex<[Int: Output]>([:])

    init(_ parts: [Part], _ work: @escaping @Sendable (Part) -> Output) {
      self.parts = parts
      self.work = work
    }

    func run() {
      while true {
        let index = next.add(1, ordering: .relaxed).oldValue
        guard index < parts.count else { return }
        let output = work(parts[index])
        results.withLock { $0[index] = output }
      }
    }

    var outputs: [Output] {
      results.withLock { results in parts.indices.compactMap { results[$0] } }
    }
  }
}

/// A thread that runs a closure.
private struct HelperThread {
  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) {
      self.run = run
    }
  }

  private let thread: pthread_t

  /// Starts a thread, or returns nil if the system has none.
  init?(_ run: @escaping @Sendable () -> Void) {
    let body = unsafe Unmanaged.passRetained(Body(run))
    var thread = pthread_t()
    let status = unsafe pthread_create(
      &thread, nil,
      { body in
        guard let body = unsafe body else { return nil }
        unsafe Unmanaged<Body>.fromOpaque(body).takeRetainedValue().run()
        return nil
      }, body.toOpaque())
    guard status == 0 else {
      unsafe body.release()
      return nil
    }
    self.thread = thread
  }

  func wait() {
    _ = pthread_join(thread, nil)
  }
}
