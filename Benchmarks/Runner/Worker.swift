// SPDX-License-Identifier: Apache-2.0

import BenchmarkFiles

/// The worker process: a separate process for each measurement.
///
/// No measurement inherits the memory or the warm caches of another one. The worker is called as
/// `PROGRAM worker WORK INPUT samples|passes NUMBER` and prints lines of words, like the peers:
///
/// ```
/// sample 12 0.101 0.003     passes, and their total seconds of user and system time;
///                           for work on several cores, the elapsed seconds and 0
/// answer components 1234    an answer of the last pass
/// peak 12345678             the peak memory, in bytes
/// ```
///
/// With `samples` it warms up and measures itself. With `passes` it only does the work that many
/// times, for measurement from outside.
struct Worker {
  /// The minimum duration of a sample, in seconds.
  private static let sampleTime = 0.1

  private var workload: any Workload

  static func run(_ words: [String]) async throws {
    guard words.count == 4, let type = Workloads.all.first(where: { $0.name == words[0] })?.type,
      let number = Int(words[3]), number > 0
    else { throw Failure("usage: worker WORK INPUT samples|passes NUMBER") }
    var worker = Worker(workload: try type.init(input: words[1]))
    switch words[2] {
    case "samples": try await worker.measure(samples: number)
    case "passes": for _ in 0..<number { try await worker.workload.run() }
    default: throw Failure("expected samples or passes, found \(words[2])")
    }
    withExtendedLifetime(worker.workload) {
      // The peak of the work, before printing loads more of the standard library.
      let peak = System.peakMemory()
      for (answer, value) in $0.answers { print("answer", answer.rawValue, value) }
      print("peak", peak)
      // Like most programs, it exits without releasing its objects one by one.
      System.exit(0)
    }
  }

  private mutating func measure(samples: Int) async throws {
    let clock = type(of: workload).clock
    // The warm-up also determines how many passes a sample needs to be long enough.
    let start = clock.now().total
    var warmUps = 0
    repeat {
      try await workload.run()
      warmUps += 1
    } while clock.now().total - start < Self.sampleTime
    let passTime = (clock.now().total - start) / Double(warmUps)
    let passes = max(1, Int((Self.sampleTime / passTime).rounded(.up)))
    let answers = workload.answers
    for _ in 0..<samples {
      let before = clock.now()
      for _ in 0..<passes { try await workload.run() }
      let after = clock.now()
      print("sample", passes, after.user - before.user, after.system - before.system)
      guard workload.answers == answers else { throw Failure("two passes had different answers") }
    }
  }
}
