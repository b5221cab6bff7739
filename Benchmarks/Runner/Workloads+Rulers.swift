// SPDX-License-Identifier: Apache-2.0

import BenchmarkFiles

/// Counts line breaks with `memchr`, an upper bound for the speed of a line reader.
struct LineEnds: Workload {
  private let bytes: [UInt8]
  private var count = 0

  init(input: String) throws {
    bytes = try System.contents(of: input)
  }

  mutating func run() {
    count = System.count(UInt8(ascii: "\n"), in: bytes)
  }

  var answers: Answers { [.physicalLines: count] }
}

/// Copies the bytes with `memcpy`, an upper bound for the speed of a writer.
struct Copy: Workload {
  private let bytes: [UInt8]
  private var copy: [UInt8]

  init(input: String) throws {
    bytes = try System.contents(of: input)
    copy = [UInt8](repeating: 0, count: bytes.count)
  }

  mutating func run() {
    System.copy(bytes, to: &copy)
  }

  var answers: Answers { Answers(ofBytes: copy) }
}

extension Answers {
  /// Creates the answers about the bytes alone.
  init(ofBytes bytes: [UInt8]) {
    self = [.bytes: bytes.count, .byteSum: bytes.reduce(0) { $0 &+ Int($1) }]
  }
}
