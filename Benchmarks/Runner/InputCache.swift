// SPDX-License-Identifier: Apache-2.0

import BenchmarkFiles

/// The size of a worker's input.
enum InputSize: String, CaseIterable {
  /// A calendar of 200 KB, for checking answers without measuring.
  case small
  /// A calendar of 10 MB.
  case tenMegabytes = "10mb"
  /// A calendar of 100 MB.
  case hundredMegabytes = "100mb"
  /// A folder of 20,000 files of one event each.
  case files = "20000-files"
  /// A folder of 50 such files, for checking answers without measuring.
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

/// A file, a folder of files, or a rule, with its answers.
struct Input {
  /// The number of instances that suffices for checking answers.
  private static let fewInstances = 100

  let path: String
  let answers: Answers
  /// The number of instances or searches; nil if this is not a rule.
  let operations: Int?

  init(path: String, answers: Answers, operations: Int? = nil) {
    self.path = path
    self.answers = answers
    self.operations = operations
  }

  /// Creates the input of a rule, optionally with few instances.
  init(_ rule: RuleCase, isSmall: Bool) {
    let rule = isSmall ? rule.limited(to: Self.fewInstances) : rule
    self.init(path: rule.text, answers: rule.answers, operations: rule.count)
  }

  var byteCount: Int { answers[.bytes, default: 0] }
}

/// Generated files, which are kept for later runs.
struct InputCache {
  /// The seed of all files.
  static let seed: UInt64 = 5545

  /// A hash of the generator's output, so that different generators never share files.
  let digest: String
  private let folder: String

  init(under folder: String) {
    var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    var generator = CalendarGenerator(seed: Self.seed)
    _ = generator.writeCalendar(size: InputSize.small.byteCount) { bytes in
      // A 64-bit FNV-1a hash.
      for byte in bytes { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
    // The answers are stored beside the file.
    for byte in Answer.allCases.map(\.rawValue).joined().utf8 {
      digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    self.digest = String(digest, radix: 16)
    self.folder = "\(folder)/inputs-\(self.digest)"
  }

  /// Returns the input of a size, after generating it if necessary.
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
    // The answers are written last; an input without them was interrupted and is generated again.
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
  /// The answers as text, one per line: the name and the value.
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
