// SPDX-License-Identifier: Apache-2.0

/// What holds for every file of Swift, wherever it lies.
enum FileRules {
  static let header = "// SPDX-License-Identifier: Apache-2.0\n\n"
  static let lineLimit = 500
  static let functionLimit = 50

  /// The licence, in exactly these words, and an empty line.
  static func headerViolations(in file: SourceFile) -> [Violation] {
    // A manifest must begin with the version of its tools.
    var text = file.text[...]
    if file.path.split(separator: "/").last == "Package.swift" {
      text = text.drop { $0 != "\n" }.dropFirst()
    }
    guard !text.hasPrefix(header) else { return [] }
    return [Violation(file.path, line: 1, "expected the licence line and an empty line")]
  }

  static func lengthViolations(in file: SourceFile) -> [Violation] {
    let count = file.text.split(separator: "\n", omittingEmptySubsequences: false).count - 1
    guard count > lineLimit else { return [] }
    return [Violation(file.path, "\(count) lines, more than \(lineLimit)")]
  }

  /// Functions and initializers of more lines than a person takes in at once.
  static func functionLengthViolations(in file: SourceFile) -> [Violation] {
    let code = SwiftCode.of(file.text).lines
    return code.indices.compactMap { start in
      guard code[start].contains("func ") || code[start].contains("init"),
        code[start].contains(/^\s*([a-z()@]+ )*(func \S|init[?(<])/),
        let end = closingLine(from: start, in: code), end - start + 1 > functionLimit
      else { return nil }
      return Violation(
        file.path, line: start + 1,
        "a function of \(end - start + 1) lines, more than \(functionLimit)")
    }
  }

  /// The line with the brace that closes the first one opened from a line on; nil if there is no body.
  private static func closingLine(from start: Int, in code: [String]) -> Int? {
    var depth = 0
    var parentheses = 0
    for index in code.indices[start...] {
      for character in code[index] {
        switch character {
        case "(": parentheses += 1
        case ")": parentheses -= 1
        case "{": depth += 1
        case "}":
          depth -= 1
          if depth == 0 { return index }
          if depth < 0 { return nil }
        default: break
        }
      }
      // A requirement of a protocol ends without a body.
      let next = index + 1 < code.count ? code[index + 1].trimmingPrefix(while: \.isWhitespace) : ""
      if depth == 0, parentheses <= 0,
        !["{", ")", "->", "throws", "async", "where", "rethrows"].contains(where: next.hasPrefix)
      {
        return nil
      }
    }
    return nil
  }

  /// Words in code that stop a program or read foreign memory, and words in comments that promise work.
  static func wordViolations(in file: SourceFile) -> [Violation] {
    let code = SwiftCode.of(file.text).lines
    var found: [Violation] = []
    // Programs for Apple's systems rely on the implicitly unwrapped types of EventKit's members.
    let isEventKit = file.path.hasPrefix("Sources/OpenEventKit/")
    for (offset, whole) in code.enumerated() {
      let line =
        isEventKit && whole.utf8.contains(UInt8(ascii: "!"))
        ? whole.replacing(/(: |-> )[A-Z][A-Za-z0-9.]*!( \{|$)/, with: "") : whole
      // A `!` behind a name, a closing bracket or a type is a forced unwrapping, and so are `try!`
      // and `as!`; `!=` is not.
      if line.utf8.contains(UInt8(ascii: "!")), line.contains(/[A-Za-z0-9_)\]}>?`"]!(?!=)/) {
        found.append(Violation(file.path, line: offset + 1, "forces a value that may be missing"))
      }
      if line.contains("@testable") {
        found.append(Violation(file.path, line: offset + 1, "@testable: tests see `package`"))
      }
      if line.contains(".pointee.d_name") {
        found.append(
          Violation(file.path, line: offset + 1, "copies 256 bytes of an entry that may be shorter")
        )
      }
      if line.contains("Process()"), line.contains(/\bProcess\(\)/) {
        found.append(
          Violation(file.path, line: offset + 1, "Process crashes with many open files")
        )
      }
    }
    for (offset, line) in file.lines.enumerated() {
      for word in ["TO" + "DO", "FIX" + "ME", "X" + "XX"] where line.hasWord(word) {
        found.append(Violation(file.path, line: offset + 1, "\(word) promises work"))
      }
    }
    return found
  }

  /// What reaches out of the code to the clock, the machine or the process; and what prints.
  private static let globalState: [(words: String, why: String)] = [
    ("Date()", "the clock"), ("Date.now", "the clock"), ("UUID()", "chance"),
    (".random(in:", "chance"), ("SystemRandomNumberGenerator", "chance"),
    ("ProcessInfo", "the process"), ("CommandLine", "the process"), ("getenv", "the environment"),
    ("FileManager.default", "the file system"), ("TimeZone.current", "the machine's zone"),
    ("Locale.current", "the machine's language"), ("Calendar.current", "the machine's calendar"),
    ("UserDefaults", "the machine"), ("URLSession", "the network"),
    ("nonisolated(unsafe)", "shared mutable state"),
  ]

  /// What single files may use all the same.
  private static let exceptions: [String: Set<String>] = [
    // The names of temporary files must differ between processes, and nothing depends on which.
    "Sources/CalendarStore/Files/SystemCalls.swift": [".random(in:"],
    // The keys of browsers and the tokens of forms are chance, and nothing else of the page is.
    "Sources/EpactServe/Security/SignIn.swift": [".random(in:", "SystemRandomNumberGenerator"],
    // It is the name of a trait there.
    "Sources/CalendarStore/SyncTrait.swift": ["CommandLine"],
  ]

  /// Uses of global state outside of the one file that is there for it.
  static func globalStateViolations(in file: SourceFile) -> [Violation] {
    guard !file.path.hasSuffix("/LiveDependencies.swift") else { return [] }
    let programs = ["Sources/EpactCommands/", "Sources/EpactServeMain/"]
    let isLibrary = !programs.contains(where: file.path.hasPrefix)
    let allowed = exceptions[file.path] ?? []
    return SwiftCode.of(file.text).lines.enumerated().flatMap { offset, line -> [Violation] in
      var found = globalState.filter { line.hasWord($0.words) && !allowed.contains($0.words) }.map {
        Violation(file.path, line: offset + 1, "\($0.words) reaches for \($0.why): pass it in")
      }
      if isLibrary, ["rint(", "dump("].contains(where: line.contains),
        line.contains(/(^|[^.\w])(debugPrint|print|dump)\(/)
      {
        found.append(Violation(file.path, line: offset + 1, "a library never prints"))
      }
      return found
    }
  }

  /// Literals of three words or more in the engine, which hands values on that the front words.
  static func sentenceViolations(in file: SourceFile) -> [Violation] {
    let code = SwiftCode.of(file.text)
    return zip(code.lines, code.literals).enumerated().compactMap { offset, line in
      guard line.1.contains(/[A-Za-z'][,;:]? +[A-Za-z']+[,;:]? +[A-Za-z']/),
        !line.0.contains("precondition")
      else { return nil }
      return Violation(file.path, line: offset + 1, "a sentence: Epact words the values")
    }
  }

  /// Where people keep what is theirs: a path under one of these belongs to one machine.
  private static let machineFolders = ["work", "root", "opt", "Users", "srv", "mnt"]

  /// Absolute paths that only one machine has.
  static func machinePathViolations(in file: SourceFile) -> [Violation] {
    file.lines.enumerated().compactMap { offset, line in
      for folder in machineFolders {
        for place in line.ranges(of: "/\(folder)/") {
          // Part of a longer path or of an address, as in `https://host/srv/`, is none of ours.
          let before = line[..<place.lowerBound].last
          if before.map({ $0.isLetter || $0.isNumber || "./-_~}*".contains($0) }) != true {
            return Violation(
              file.path, line: offset + 1, "a path that only one machine has: /\(folder)/")
          }
        }
      }
      return nil
    }
  }
}

extension StringProtocol {
  /// Whether some words occur with no letter, digit or underscore around them.
  func hasWord(_ word: String) -> Bool {
    func isPart(_ character: Character?) -> Bool {
      character.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false
    }
    let text = String(self)
    return text.ranges(of: word).contains { range in
      let startsInside = isPart(word.first) && isPart(text[..<range.lowerBound].last)
      let endsInside = isPart(word.last) && isPart(text[range.upperBound...].first)
      return !startsInside && !endsInside
    }
  }
}
