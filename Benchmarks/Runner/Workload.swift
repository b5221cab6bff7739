// SPDX-License-Identifier: Apache-2.0

import BenchmarkFiles

/// A unit of measured work: prepared once, then repeated.
protocol Workload: Sendable {
  /// Prepares the work on a file, a folder of files, or a rule; not measured.
  init(input: String) throws

  /// The clock that measures the work.
  static var clock: System.Clock { get }

  /// Does the work once; this is measured.
  mutating func run() async throws

  /// The answers of the last run; computed outside of the measurement.
  var answers: Answers { get }
}

extension Workload {
  static var clock: System.Clock { .processor }
}

/// All workloads, by name.
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
    ("agenda-unsifted", UnsiftedAgenda.self),
    ("expand", Expand.self),
    ("expand-zoned", ExpandZoned.self),
    ("prove", Prove.self),
    ("seek", Seek.self),
    ("seek-again", SeekAgain.self),
    ("zone-offset", ZoneOffset.self),
    ("zone-clock", ZoneClock.self),
  ]
}
