// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import TestSupport
import Testing

/// Lists of files: what ends a path, and what is none.
struct FileListTests {
  private func open(_ text: String) throws -> FileList { try open(Array(text.utf8)) }

  private func open(_ bytes: [UInt8]) throws -> FileList {
    try FileList(.bytes(bytes, label: "list"))
  }

  /// All paths of a list, and the events about what is none.
  private func read(_ bytes: [UInt8]) throws -> (paths: [String], events: [FileEvent]) {
    var (paths, events): ([String], [FileEvent]) = ([], [])
    var list = try open(bytes)
    while let path = try list.next({ events.append($0) }) { paths.append(path) }
    let afterTheEnd = try list.next { events.append($0) }
    #expect(afterTheEnd == nil)
    #expect(list.count == paths.count + events.count)
    return (paths, events)
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let text: String
    let paths: [String]

    init(_ description: String, _ text: String, _ paths: [String]) {
      (testDescription, self.text, self.paths) = (description, text, paths)
    }
  }

  static let cases = [
    Case("empty", "", []),
    Case("an empty line", "\n", []),
    Case("lines", "a.ics\nb.ics\n", ["a.ics", "b.ics"]),
    Case("no line feed at the end", "a.ics\nb.ics", ["a.ics", "b.ics"]),
    Case("empty lines", "\na.ics\n\nb.ics\n\n", ["a.ics", "b.ics"]),
    Case("spaces, tabs and CR belong to a path", " a.ics \n\tb.ics\r\n", [" a.ics ", "\tb.ics\r"]),
    Case("quotes, hyphens and comments are none", "\"a\"\n-x\n#c\n", ["\"a\"", "-x", "#c"]),
    Case("a hyphen is a file", "-\n", ["./-"]),
    Case("NULs", "a.ics\0b.ics\0", ["a.ics", "b.ics"]),
    Case("no NUL at the end", "a.ics\0b.ics", ["a.ics", "b.ics"]),
    Case("line feeds between NULs", "a\nb.ics\0\nc\0", ["a\nb.ics", "\nc"]),
    Case("other scripts", "käthe.ics\n予定.ics\n", ["käthe.ics", "予定.ics"]),
  ]

  @Test(arguments: cases)
  func pathsAreTakenAsTheyAre(_ sample: Case) throws {
    let (paths, events) = try read(Array(sample.text.utf8))
    #expect(paths == sample.paths)
    #expect(events == [])
  }

  @Test func aPathThatIsNoneIsReportedWithItsLineAndSkipped() throws {
    let long = String(repeating: "x", count: 5000)
    let (paths, events) = try read(Array("a\n\n".utf8) + [0xFF, 0x0A] + Array("\(long)\nb".utf8))
    #expect(paths == ["a", "b"])
    #expect(
      events == [
        .invalidPath(
          list: "list", line: 3, reason: "expected a path in UTF-8, found other bytes"),
        .invalidPath(
          list: "list", line: 4,
          reason: "expected a path of at most 4096 bytes, found a longer one"),
      ])
    #expect(events.map(\.isFailure) == [true, true])
  }

  @Test func aNULAfterTheFirstPathsBelongsToAPathOfALine() throws {
    let lines = String(repeating: "name.ics\n", count: 1000)
    let (paths, events) = try read(Array("\(lines)a\0b\nc\n".utf8))
    #expect(paths.count == 1001)
    #expect(paths.last == "c")
    #expect(
      events == [
        .invalidPath(list: "list", line: 1001, reason: "expected a path, found a NUL in it")
      ])
  }

  @Test func theLongestPathFitsWhateverEndsIt() throws {
    let name = String(repeating: "x", count: 4096)
    for end in ["\n", "\0"] {
      let (paths, events) = try read(Array((name + end + "b" + end).utf8))
      #expect(paths == [name, "b"])
      #expect(events == [])
    }
  }

  @Test func aListAcrossManyChunksIsComplete() throws {
    let folder = try TemporaryFolder()
    let expected = (0..<30_000).map { "folder/\($0)/calendar \($0 % 7).ics" }
    for end in ["\n", "\0"] {
      let path = try folder.write(expected.map { $0 + end }.joined().utf8, to: "list")
      var list = try FileList(.file(path))
      var paths: [String] = []
      while let path = try list.next({ Issue.record("\($0)") }) { paths.append(path) }
      #expect(paths == expected)
    }
  }

  @Test func aFolderInAListIsReadAndAMissingFileIsItsOwnError() throws {
    let folder = try TemporaryFolder()
    try folder.write("".utf8, to: "a.ics")
    var list = try open("\(folder.path)\n\(folder.path(of: "gone.ics"))\n")
    var labels: [[String]] = []
    while let sources = try list.nextSources({ Issue.record("\($0)") }) {
      labels.append(sources.map(\.label))
    }
    #expect(labels == [[folder.path(of: "a.ics")], [folder.path(of: "gone.ics")]])
  }

  @Test func aListThatCannotBeReadIsAnError() throws {
    let error = #expect(throws: FileError.self) { _ = try FileList(.file("/nowhere/list")) }
    #expect(error?.description == "/nowhere/list: no such file or directory")
  }

  @Test func eachFileOfAListIsConvertedOrReported() async throws {
    let folder = try TemporaryFolder()
    func event(_ uid: String) -> [String] {
      ["BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:\(uid)", "END:VEVENT", "END:VCALENDAR"]
    }
    let first = try folder.write(lines: event("a"), to: "a.ics")
    let last = try folder.write(lines: event("b"), to: "b\n.ics")
    let missing = folder.path(of: "missing.ics")
    var events: [FileEvent] = []
    var bytes: [UInt8] = []
    let schema = try ComponentRow.schema.selecting(["uid"])
    var conversion = FileConversion(to: .lean(schema)) { event in
      if event.isFailure { events.append(event) }
    }
    var list = try open([first, missing, last].joined(separator: "\0"))
    try await conversion.convertAll(in: &list, cores: 2) { bytes += $0 }
    #expect(String(decoding: bytes, as: UTF8.self) == "{\"uid\":\"a\"}\n{\"uid\":\"b\"}\n")
    #expect(events == [.unreadable(path: missing, reason: "no such file or directory")])
    #expect(conversion.outcome == .partial)
  }

  @Test func aListWithoutAPathIsComplete() async throws {
    for form in [CalendarForm.iCalendar, .jCal, .lean(ComponentRow.schema)] {
      var conversion = FileConversion(to: form) { Issue.record("\($0)") }
      var list = try open("")
      try await conversion.convertAll(in: &list, cores: 2) { #expect($0 == []) }
      #expect(conversion.outcome == .complete)
    }
  }
}
