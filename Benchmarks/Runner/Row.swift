// SPDX-License-Identifier: Apache-2.0

import BenchmarkFiles

/// A row of the results: work on an input, how it is measured, and its references.
struct Row {
  /// The method of measurement.
  enum Method {
    /// Measured by the worker itself after a warm-up, with many passes in one process.
    case passes
    /// Measured from outside, with a separate process for each sample.
    case process
    /// Measured from outside, with the program `epact` as a user runs it.
    case program
  }

  /// A reference that the row is compared with in the same run.
  enum Reference {
    /// Another row of this program.
    case row(String)
    /// A peer's work on the same input, and the answers that it must provide.
    case peer(String, work: String, answers: [Answer])
  }

  let name: String
  let suite: String
  /// The name of a workload in `Workloads.all`.
  let work: String
  let input: InputSize
  /// The rule, if the input is not a file.
  var rule: RuleCase?
  let method: Method
  let references: [Reference]
  /// The answers that a worker must provide; all additional answers must be correct too.
  let answers: [Answer]
  /// The purpose of the row.
  let why: String
}

extension Row {
  private static let structure: [Answer] = [.components, .properties, .events, .alarms]
  private static let values: [Answer] = [.components, .properties, .values, .textBytes, .dateDays]
  private static let model: [Answer] = [
    .events, .reminders, .journals, .alarms, .summaryBytes, .eventStartDays, .eventAttendees,
    .eventExclusions,
  ]
  private static let libical: [Answer] = [.components, .values, .summaryBytes, .eventStartDays]
  private static let june: [Answer] = [.juneOccurrences, .juneStartMinutes]
  private static let bytes: [Answer] = [.bytes, .byteSum]

  /// All rows; `Benchmarks/README.md` has their results.
  static let all: [Row] = files + recurrence

  private static let files: [Row] = [
    Row(
      name: "line-ends", suite: "rulers", work: "line-ends", input: .tenMegabytes, method: .passes,
      references: [], answers: [.physicalLines],
      why:
        "The ruler for reading: memchr from line end to line end, which every parser has to find."),
    Row(
      name: "copy", suite: "rulers", work: "copy", input: .tenMegabytes, method: .passes,
      references: [], answers: bytes,
      why: "The ruler for writing: one memcpy of the whole file."),
    Row(
      name: "tokens", suite: "parse", work: "tokens", input: .tenMegabytes, method: .passes,
      references: [.row("line-ends"), .peer("libical", work: "lines", answers: [.lines])],
      answers: structure,
      why: "What everything else waits for: unfolding and splitting. libical's part only unfolds."),
    Row(
      name: "tree", suite: "parse", work: "tree", input: .tenMegabytes, method: .passes,
      references: [.row("line-ends")], answers: structure,
      why: "What a program pays that looks for one property and reads no other value."),
    Row(
      name: "one-core", suite: "cores", work: "one-core", input: .hundredMegabytes,
      method: .passes, references: [], answers: [.events],
      why: "The ruler for the next row: the same tree on one core, by the clock on the wall."),
    Row(
      name: "two-cores", suite: "cores", work: "two-cores", input: .hundredMegabytes,
      method: .passes, references: [.row("one-core")], answers: [.events],
      why: "The gain by a second core. On a busy machine, it measures the load instead."),
    Row(
      name: "typed", suite: "parse", work: "typed", input: .tenMegabytes, method: .passes,
      references: [
        .peer("libical", work: "typed", answers: libical),
        .peer("icalendar", work: "typed", answers: [.components, .events]),
      ],
      answers: values,
      why: "The usual question: a file in memory to a tree with every value read as its type."),
    Row(
      name: "model", suite: "model", work: "model", input: .tenMegabytes, method: .passes,
      references: [.peer("libical", work: "typed", answers: libical)], answers: model,
      why: "What an application pays: Event, Reminder and Journal values, from bytes."),
    Row(
      name: "canonical", suite: "write", work: "canonical", input: .tenMegabytes, method: .passes,
      references: [
        .row("copy"), .peer("libical", work: "canonical", answers: [.components]),
        .peer("icalendar", work: "canonical", answers: [.components]),
      ], answers: [.canonicalBytes, .canonicalByteSum],
      why: "One spelling for all that say the same, of a file that was read: what fingerprints use."
    ),
    Row(
      name: "made", suite: "write", work: "made", input: .tenMegabytes, method: .passes,
      references: [
        .row("copy"), .peer("libical", work: "canonical", answers: [.components]),
      ], answers: bytes,
      why: "Writing what was made in memory: every line is put together, escaped and folded."),
    Row(
      name: "untouched", suite: "write", work: "untouched", input: .tenMegabytes, method: .passes,
      references: [.row("copy")], answers: bytes,
      why: "Writing back what was not changed, the common case of a sync: it should be a copy."),
    Row(
      name: "whole", suite: "process", work: "whole", input: .hundredMegabytes, method: .process,
      references: [.peer("libical", work: "whole", answers: libical)], answers: values,
      why: "What a command line costs: start, read 100 MB, type every value, keep the tree, end."),
    Row(
      name: "agenda", suite: "process", work: "agenda", input: .tenMegabytes, method: .process,
      references: [.peer("libical", work: "agenda", answers: june)], answers: june,
      why: "What takes place in a month, of a file of years: start, read 10 MB, expand, end."),
    Row(
      name: "agenda-unsifted", suite: "process", work: "agenda-unsifted", input: .tenMegabytes,
      method: .process, references: [.row("agenda")], answers: june,
      why: "The row before with every component parsed: the difference is what the sieve is worth."
    ),
    Row(
      name: "agenda-program", suite: "process", work: "agenda", input: .tenMegabytes,
      method: .program, references: [.peer("libical", work: "agenda", answers: june)],
      answers: june,
      why: "The row before as a person runs it: epact agenda, from its start to its end."),
    Row(
      name: "stream-10mb", suite: "stream", work: "stream", input: .tenMegabytes, method: .process,
      references: [.peer("libical", work: "whole", answers: libical)], answers: structure,
      why: "A file read component by component; its memory is compared to that of the next row."),
    Row(
      name: "stream-100mb", suite: "stream", work: "stream", input: .hundredMegabytes,
      method: .process, references: [.peer("libical", work: "whole", answers: libical)],
      answers: structure,
      why: "Ten times the file of the row before in the same memory, or it is no streaming."),
    Row(
      name: "files", suite: "files", work: "files", input: .files, method: .process,
      references: [.peer("libical", work: "files", answers: libical)], answers: values,
      why: "A folder as calendar programs keep it: 20,000 files, where what each file costs counts."
    ),
  ]
}
