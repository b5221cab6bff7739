// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite("Rules for files")
struct FileRulesTests {
  private typealias Rule = (SourceFile) -> [Violation]

  @Test("Every file begins with the licence line")
  func headers() {
    var files = SourceTree.swiftFiles()
    files += SourceTree.files(under: "Sources", extensions: ["c", "h"])
    files += [SourceTree.file("Package.swift")].compactMap { $0 }
    #expect(files.flatMap(FileRules.headerViolations) == [])
  }

  @Test("No file is longer than 500 lines, no function longer than 50")
  func lengths() {
    let files =
      SourceTree.swiftFiles() + SourceTree.files(under: "Sources", extensions: ["c", "h"])
    #expect(files.flatMap(FileRules.lengthViolations) == [])
    let swift = SourceTree.files(under: "Sources", extensions: ["swift"])
    #expect(swift.flatMap(FileRules.functionLengthViolations) == [])
  }

  @Test("Nothing in Sources forces a value or promises work")
  func words() {
    let files = SourceTree.files(under: "Sources", extensions: ["swift"])
    #expect(files.flatMap(FileRules.wordViolations) == [])
  }

  @Test("Only LiveDependencies.swift reaches for the clock, the machine and the process")
  func globalState() {
    let files = SourceTree.files(under: "Sources", extensions: ["swift"])
    #expect(files.flatMap(FileRules.globalStateViolations) == [])
  }

  @Test("CalendarSync has no sentences")
  func sentences() {
    let files = SourceTree.files(under: "Sources/CalendarSync", extensions: ["swift"])
    #expect(files.count > 50)
    #expect(files.flatMap(FileRules.sentenceViolations) == [])
  }

  @Test("Every public error has its description as the localized one of Foundation")
  func localizedErrors() {
    let errors = /public (?:struct|enum) (\w+): Error\b/
    let localized = /extension (?:\w+\.)?(\w+): (?:CustomNSError, )?LocalizedError/
    let texts = SourceTree.files(under: "Sources", extensions: ["swift"]).map(\.text)
    let declared = Set(texts.flatMap { $0.matches(of: errors).map(\.1) })
    let described = Set(texts.flatMap { $0.matches(of: localized).map(\.1) })
    #expect(declared.count > 20)
    #expect(declared.subtracting(described).sorted() == [])
  }

  @Test("No file holds a path that only one machine has")
  func machinePaths() {
    let files = SourceTree.textFiles().filter { !$0.path.hasPrefix("Tests/HouseRulesTests/") }
    #expect(files.count > 20)
    #expect(files.flatMap(FileRules.machinePathViolations) == [])
  }

  struct Sample: CustomTestStringConvertible {
    let text: String
    let lines: [Int]
    var testDescription: String { text }

    init(_ text: String, _ lines: Int...) {
      self.text = text
      self.lines = lines
    }
  }

  private func lines(_ rule: Rule, _ sample: Sample, path: String = "Sources/A/A.swift") -> [Int] {
    rule(SourceFile(path: path, text: sample.text)).map { $0.line ?? 0 }
  }

  @Test(
    "A wrong licence line is found",
    arguments: [
      Sample(FileRules.header + "let a = 1"),
      Sample("let a = 1", 1),
      Sample("// SPDX-License-Identifier: Apache-2.0\nlet a = 1", 1),
      Sample("// SPDX-License-Identifier: MIT\n\nlet a = 1", 1),
      Sample("\n" + FileRules.header, 1),
    ])
  func badHeader(_ sample: Sample) {
    #expect(lines(FileRules.headerViolations, sample) == sample.lines)
  }

  @Test("A file of 501 lines is found, one of 500 is not")
  func badLength() {
    let line = "// a line\n"
    let long = Sample(String(repeating: line, count: 501))
    let right = Sample(String(repeating: line, count: 500))
    #expect(lines(FileRules.lengthViolations, long) == [0])
    #expect(lines(FileRules.lengthViolations, right) == [])
  }

  @Test("A function of 51 lines is found, one of 50 is not, nor the one behind it")
  func badFunction() {
    func function(_ count: Int, _ head: String = "  private func f(a: (Int) -> Int)\n") -> String {
      head + "  {\n" + String(repeating: "    if a { b }\n", count: count - 3) + "  }\n"
    }
    let short = "  func g() { h() }\n"
    let requirement = "protocol P {\n  func f(\n    a: Int\n  ) throws\n}\n"
    #expect(lines(FileRules.functionLengthViolations, Sample(function(50) + short)) == [])
    #expect(lines(FileRules.functionLengthViolations, Sample(short + function(51))) == [2])
    let initializer = function(51, "  package init?(a: Int)\n")
    #expect(lines(FileRules.functionLengthViolations, Sample(initializer)) == [1])
    let behind = String(repeating: "let a = { 1 }\n", count: 60)
    #expect(lines(FileRules.functionLengthViolations, Sample(requirement + behind)) == [])
  }

  @Test(
    "Forced values and promises are found",
    arguments: [
      Sample("let a = b!", 1),
      Sample("let a = try! b()", 1),
      Sample("let a = b as! C", 1),
      Sample("var a: String!", 1),
      Sample("a[0]!.b()\nc()!", 1, 2),
      Sample("@testable import A", 1),
      Sample("withUnsafePointer(to: &entry.pointee.d_name) { a($0) }", 1),
      Sample("let program = Process()", 1),
      Sample("let program = TestProcess()"),
      Sample("// TO" + "DO: later", 1),
      Sample("let a = 1 // FIX" + "ME", 1),
      Sample("if !a && b != c, !(d) { e = !f }"),
      Sample("let a = \"wow!\" // really!"),
      Sample("let mastodon = \"TO" + "DOS\""),
    ])
  func badWords(_ sample: Sample) {
    #expect(lines(FileRules.wordViolations, sample) == sample.lines)
  }

  @Test(
    "Global state is found",
    arguments: [
      Sample("let a = Date()", 1),
      Sample("\nlet a = UUID().uuidString", 2),
      Sample("FileManager.default.remove(a)", 1),
      Sample("ProcessInfo.processInfo.arguments", 1),
      Sample("let a = getenv(b)", 1),
      Sample("nonisolated(unsafe) var a = 1", 1),
      Sample("print(a)", 1),
      Sample("Swift.print(a)\nconsole.print(a)"),
      Sample("let a = CivilDate()\nlet myUUID = makeUUID()"),
      Sample("// Date() is not for us"),
    ])
  func badState(_ sample: Sample) {
    #expect(lines(FileRules.globalStateViolations, sample) == sample.lines)
  }

  @Test("LiveDependencies.swift may reach for global state, and the program may print")
  func allowedState() {
    let sample = Sample("let a = Date()")
    let live = "Sources/Epact/LiveDependencies.swift"
    #expect(lines(FileRules.globalStateViolations, sample, path: live) == [])
    let printing = Sample("print(a)")
    let program = "Sources/EpactCommands/A.swift"
    #expect(lines(FileRules.globalStateViolations, printing, path: program) == [])
    #expect(lines(FileRules.globalStateViolations, sample, path: program) == [1])
  }

  @Test(
    "Sentences are found",
    arguments: [
      Sample("throw E(\"nothing was sent\")", 1),
      Sample("f(\n  \"restricted to \\(tier) by \\(name)\")", 2),
      Sample("let a = \"moved, and left there\"", 1),
      Sample("f(\"list items\", \"read items\")"),
      Sample("\"\\(phase) \\(done) of \\(total)\""),
      Sample("// it was \"never sent there\""),
      Sample("preconditionFailure(\"a series has a start\")"),
    ])
  func badSentences(_ sample: Sample) {
    #expect(lines(FileRules.sentenceViolations, sample) == sample.lines)
  }

  @Test(
    "Paths of one machine are found",
    arguments: [
      Sample("cd /srv/epact", 1),
      Sample("let a = \"/Users/ada/epact\"", 1),
      Sample("a\nPATH=/mnt/swift/bin", 2),
      Sample("https://example.org/srv/plan and ~/srv/epact and /usr/share/zoneinfo"),
      Sample("Sources/root/a"),
    ])
  func badPaths(_ sample: Sample) {
    #expect(lines(FileRules.machinePathViolations, sample) == sample.lines)
  }
}
