// SPDX-License-Identifier: Apache-2.0

/// The command-line options.
struct Options {
  static let usage = """
    usage: epact-benchmarks [--suite NAME]... [--size small|10mb|100mb] [--samples NUMBER]
                            [--peers] [--markdown] [--json FILE] [--cache FOLDER]
           epact-benchmarks --answers
           epact-benchmarks --list
           epact-benchmarks --input SIZE      prints the path of a generated input
           epact-benchmarks worker WORK INPUT samples|passes NUMBER

    --suite    only these suites or rows; again for more of them
    --size     one calendar for all rows that read a calendar
    --peers    libical and Python's icalendar beside ours
    --markdown prints the table of Benchmarks/README.md
    --answers  checks the answers on small input, and measures nothing
    """

  var suites: Set<String> = []
  var size: InputSize?
  var samples = 7
  var hasPeers = false
  var isMarkdown = false
  var json: String?
  var cache = ".build/benchmarks"
  var onlyAnswers = false
  var isList = false
  var input: InputSize?

  init(_ words: [String]) throws {
    var rest = words[...]
    func value(of option: String) throws -> String {
      guard let value = rest.popFirst() else { throw Failure("\(option): expected a value") }
      return value
    }
    func size(of option: String) throws -> InputSize {
      let text = try value(of: option)
      guard let size = InputSize(rawValue: text) else {
        throw Failure("\(option): expected a size, found \(text)")
      }
      return size
    }
    while let option = rest.popFirst() {
      switch option {
      case "--suite": suites.insert(try value(of: option))
      case "--size": self.size = try size(of: option)
      case "--input": input = try size(of: option)
      case "--samples":
        guard let number = Int(try value(of: option)), 1...1000 ~= number else {
          throw Failure("--samples: expected a number from 1 through 1000")
        }
        samples = number
      case "--peers": hasPeers = true
      case "--markdown": isMarkdown = true
      case "--json": json = try value(of: option)
      case "--cache": cache = try value(of: option)
      case "--answers": onlyAnswers = true
      case "--list": isList = true
      default: throw Failure("\(option): no such option\n\(Self.usage)")
      }
    }
  }

  /// Returns the selected rows.
  func rows() throws -> [Row] {
    for suite in suites where !Row.all.contains(where: { $0.name == suite || $0.suite == suite }) {
      throw Failure("--suite \(suite): there is no such suite and no such row; see --list")
    }
    return Row.all.filter { suites.isEmpty || !suites.isDisjoint(with: [$0.name, $0.suite]) }
  }

  /// Returns the input of a row in the selected size.
  func input(of row: Row) -> InputSize {
    switch row.input {
    case .files, .fewFiles: onlyAnswers || size == .small ? .fewFiles : row.input
    default: onlyAnswers ? .small : size ?? row.input
    }
  }
}
