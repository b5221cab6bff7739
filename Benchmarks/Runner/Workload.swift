// SPDX-License-Identifier: Apache-2.0

import BenchmarkFiles

/// Work that is measured: prepared once, then done again and again.
protocol Workload: Sendable {
  /// Prepares the work on a file, a folder of files, or a rule; this is not measured.
  init(input: String) throws

  /// The clock that the work is measured with.
  static var clock: System.Clock { get }

  /// Does the work once; this is measured.
  mutating func run() async throws

  /// What the last run found or wrote; asked for when no time is taken.
  var answers: Answers { get }
}

extension Workload {
  static var clock: System.Clock { .processor }
}

/// All work that can be measured, by name.
enum Workloads {
  static let all: [(name: String, type: any Workload.Type)] = [
    ("line-ends", LineEnds.self),
    ("copy", Copy.self),
    ("tokens", Tokens.self),
    ("tree", Tree.self),
    ("one-core", OneCore.self),
    ("two-cores", TwoCores.self),
    ("typed", Typed.self),
    ("model", Model.self),
    ("canonical", Canonical.self),
    ("made", Made.self),
    ("untouched", Untouched.self),
    ("whole", Whole.self),
    ("stream", Stream.self),
    ("files", Files.self),
    ("agenda", Agenda.self),
    ("expand", Expand.self),
    ("expand-zoned", ExpandZoned.self),
    ("prove", Prove.self),
    ("seek", Seek.self),
    ("seek-again", SeekAgain.self),
    ("zone-offset", ZoneOffset.self),
    ("zone-clock", ZoneClock.self),
  ]
}
