// SPDX-License-Identifier: Apache-2.0

import BenchmarkFiles

/// Counts line ends with `memchr`: what finds lines can hardly be faster.
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

/// Copies the bytes with `memcpy`: what writes them cannot be faster.
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
  /// What is known about bytes as such.
  init(ofBytes bytes: [UInt8]) {
    self = [.bytes: bytes.count, .byteSum: bytes.reduce(0) { $0 &+ Int($1) }]
  }
}
