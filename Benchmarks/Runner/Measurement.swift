// SPDX-License-Identifier: Apache-2.0

import BenchmarkFiles

/// The measurements of a worker or a peer.
struct Measurement {
  /// The user and system time of one pass in seconds, for each sample.
  var seconds: [Double] = []
  /// The system time in it.
  var systemSeconds: [Double] = []
  /// The peak memory of a process, in bytes.
  var peak = 0
  var answers: Answers = [:]

  var median: Double { Self.median(seconds) }

  /// The median absolute deviation: half of the samples are closer to the median.
  var spread: Double {
    let median = median
    return Self.median(seconds.map { abs($0 - median) })
  }

  /// Runs a process that warms up and measures itself.
  ///
  /// Its C library keeps freed memory for the next pass. Whether it would return memory to the
  /// kernel depends on the random placement of a few large arrays, and each pass would then pay for
  /// allocating it again.
  mutating func addSamples(_ number: Int, of command: [String]) throws {
    try read(try Self.run(command + ["samples", "\(number)"], keepsMemory: true))
  }

  /// Runs a process that does the work once, and measures it from start to end.
  mutating func addProcess(_ command: [String]) throws {
    let exit = try Self.run(command + ["passes", "1"])
    try read(exit)
    seconds.append(exit.time.total)
    systemSeconds.append(exit.time.system)
  }

  /// Runs `epact agenda` once, and measures it in the same way.
  mutating func addAgenda(_ command: [String]) throws {
    let exit = try Self.run(command)
    answers = try AgendaOutput.answers(exit.output)
    seconds.append(exit.time.total)
    systemSeconds.append(exit.time.system)
  }

  private static func run(_ command: [String], keepsMemory: Bool = false) throws -> System.Exit {
    let exit = try System.run(command, keepsMemory: keepsMemory)
    guard exit.succeeded else { throw Failure("\(command.joined(separator: " ")): failed") }
    return exit
  }

  /// Parses the output of a worker.
  private mutating func read(_ exit: System.Exit) throws {
    for line in exit.output.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      switch words.first {
      case "sample":
        guard words.count == 4, let passes = Double(words[1]), let user = Double(words[2]),
          let system = Double(words[3]), passes > 0
        else { throw Failure("expected a sample, found \(line)") }
        seconds.append((user + system) / passes)
        systemSeconds.append(system / passes)
      case "answer":
        guard words.count == 3, let name = Answer(rawValue: words[1]), let value = Int(words[2])
        else { throw Failure("expected an answer, found \(line)") }
        answers[name] = value
      case "peak":
        guard words.count == 2, let bytes = Int(words[1])
        else { throw Failure("expected a peak, found \(line)") }
        peak = max(peak, bytes)
      default: throw Failure("expected a sample, an answer or a peak, found \(line)")
      }
    }
  }

  /// The errors in the answers; empty if all are correct.
  func mistakes(expecting expected: Answers, atLeast required: [Answer]) -> [String] {
    let missing = required.filter { answers[$0] == nil }.map { "no answer for \($0.rawValue)" }
    let wrong = Answer.allCases.compactMap { name -> String? in
      guard let found = answers[name], found != expected[name, default: 0] else { return nil }
      return "expected \(expected[name, default: 0]) \(name.rawValue), found \(found)"
    }
    return missing + wrong
  }

  private static func median(_ numbers: [Double]) -> Double {
    guard !numbers.isEmpty else { return .nan }
    let sorted = numbers.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
