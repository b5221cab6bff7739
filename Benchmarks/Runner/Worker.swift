// SPDX-License-Identifier: Apache-2.0

import BenchmarkFiles

/// The half of the program that works: a process of its own for each measurement, so that none
/// inherits the memory or the warm caches of another one.
///
/// It is called as `PROGRAM worker WORK INPUT samples|passes NUMBER` and prints lines of words, as the
/// peers do:
///
/// ```
/// sample 12 0.101 0.003     passes, and the seconds of user and system time that they took together;
///                           for work on several cores those on the wall, and none
/// answer components 1234    what the last pass found
/// peak 12345678             the most memory ever held, in bytes
/// ```
///
/// With `samples` it warms up and measures itself. With `passes` it does the work that many times and
/// nothing else, for whoever measures from outside.
struct Worker {
  /// How long a sample lasts at least, in seconds.
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
      // That of the work, before printing brings in more of the standard library.
      let peak = System.peakMemory()
      for (answer, value) in $0.answers { print("answer", answer.rawValue, value) }
      print("peak", peak)
      // As programs end: without letting go of what they hold, piece by piece.
      System.exit(0)
    }
  }

  private mutating func measure(samples: Int) async throws {
    let clock = type(of: workload).clock
    // The warm-up also tells how many passes a sample needs to be long enough for the clock.
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
