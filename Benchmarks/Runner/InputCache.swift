// SPDX-License-Identifier: Apache-2.0

import BenchmarkFiles

/// What the workers read.
enum InputSize: String, CaseIterable {
  /// A calendar of 200 KB, for answers rather than for times.
  case small
  /// A calendar of 10 MB.
  case tenMegabytes = "10mb"
  /// A calendar of 100 MB.
  case hundredMegabytes = "100mb"
  /// A folder of 20,000 files of one event each.
  case files = "20000-files"
  /// A folder of 50 such files, for answers rather than for times.
  case fewFiles = "50-files"

  fileprivate var fileCount: Int? {
    switch self {
    case .files: 20_000
    case .fewFiles: 50
    case .small, .tenMegabytes, .hundredMegabytes: nil
    }
  }

  fileprivate var byteCount: Int {
    switch self {
    case .tenMegabytes: 10_000_000
    case .hundredMegabytes: 100_000_000
    case .small, .files, .fewFiles: 200_000
    }
  }
}

/// A file, a folder of files or a rule, and what is known about it.
struct Input {
  /// How few instances are enough for answers.
  private static let fewInstances = 100

  let path: String
  let answers: Answers
  /// How many instances are expanded or looked for; nil if this is no rule.
  let operations: Int?

  init(path: String, answers: Answers, operations: Int? = nil) {
    self.path = path
    self.answers = answers
    self.operations = operations
  }

  /// A rule, or a little of it.
  init(_ rule: RuleCase, isSmall: Bool) {
    let rule = isSmall ? rule.limited(to: Self.fewInstances) : rule
    self.init(path: rule.text, answers: rule.answers, operations: rule.count)
  }

  var byteCount: Int { answers[.bytes, default: 0] }
}

/// Generated files, which are kept so that only the first run has to write them.
struct InputCache {
  /// The seed of all files.
  static let seed: UInt64 = 5545

  /// A digest of what the generator writes now: another generator never meets the files of this one.
  let digest: String
  private let folder: String

  init(under folder: String) {
    var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    var generator = CalendarGenerator(seed: Self.seed)
    _ = generator.writeCalendar(size: InputSize.small.byteCount) { bytes in
      // FNV-1a, of 64 bits.
      for byte in bytes { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
    // What is known of a file is kept beside it.
    for byte in Answer.allCases.map(\.rawValue).joined().utf8 {
      digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    self.digest = String(digest, radix: 16)
    self.folder = "\(folder)/inputs-\(self.digest)"
  }

  /// The input of a size, generated if it is not there.
  func input(_ size: InputSize) throws -> Input {
    let name = size.fileCount == nil ? "\(size.rawValue).ics" : size.rawValue
    let path = "\(folder)/\(name)"
    let known = "\(folder)/\(size.rawValue).answers"
    if let text = try? System.contents(of: known) {
      return Input(path: path, answers: try Answers(text: String(decoding: text, as: UTF8.self)))
    }
    try System.makeFolder(folder)
    let answers =
      if let count = size.fileCount {
        try writeFiles(count, under: path)
      } else {
        try writeCalendar(size.byteCount, to: path)
      }
    // Written last: an input without it was interrupted, and is written anew.
    try OutputFile(known).write(Array(answers.text.utf8))
    return Input(path: path, answers: answers)
  }

  private func writeCalendar(_ size: Int, to path: String) throws -> Answers {
    let file = try OutputFile(path)
    var generator = CalendarGenerator(seed: Self.seed)
    return try generator.writeCalendar(size: size) { try file.write($0) }
  }

  private func writeFiles(_ count: Int, under folder: String) throws -> Answers {
    try System.makeFolder(folder)
    var generator = CalendarGenerator(seed: Self.seed)
    var answers: Answers = [:]
    for number in 0..<count {
      let file = generator.singleEvent()
      try OutputFile("\(folder)/\(number).ics").write(file.bytes)
      answers = answers + file.answers
    }
    return answers
  }
}

extension Answers {
  /// One answer a line, its name before its value.
  fileprivate var text: String {
    Answer.allCases.compactMap { name in self[name].map { "\(name.rawValue) \($0)\n" } }.joined()
  }

  fileprivate init(text: String) throws {
    self = [:]
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 2, let name = Answer(rawValue: String(words[0])),
        let value = Int(words[1])
      else { throw Failure("answers of a generated file: \(line)") }
      self[name] = value
    }
  }
}
