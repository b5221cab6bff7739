// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The surroundings of code of the documentation in a program: the imports and the inputs.
enum SnippetScope {
  /// The texts of the files below `Sources` with a suffix, by path from the root, in order.
  static func files(_ suffix: String) throws -> [(path: String, text: String)] {
    let root = DocumentationCompiler.root
    return try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: "Sources").path)
      .filter { $0.hasSuffix(suffix) }.sorted()
      .map { name in
        let path = "Sources/\(name)"
        return (path, try String(contentsOf: root.appending(path: path), encoding: .utf8))
      }
  }

  /// The name of the library that a file belongs to.
  static func library(of path: String) -> String { String(path.split(separator: "/")[1]) }

  /// The first lines of a program: the imports of a reader, and the function for inputs.
  static func head(for library: String) -> [String] {
    // Programs import the name of the module on Apple's systems.
    let module = library == "OpenEventKit" ? "EventKit" : library
    return ["import \(module)"] + (library == "EpactFoundation" ? ["import Foundation"] : [])
      + [input]
  }

  /// The function that returns the value of an input.
  static let input = "func input<Value>() -> Value { fatalError() }"

  /// A declaration at the top level of code.
  static var declaration: Regex<(Substring, Substring)> {
    /^(?:let|var|func|struct) (\w+)/.anchorsMatchLineEndings()
  }

  /// The declarations of the values that code uses without declaring them.
  static func inputs(of code: String, in library: String) -> [String] {
    // Names at the top level, and those of patterns.
    let own = Set(
      code.matches(of: declaration).map { String($0.1) }
        + code.matches(of: /(?:\(|, )let (\w+)/).map { String($0.1) })
    // Words of texts and of comments are no names; the names in an interpolation are.
    let bare = code.replacing(/"[^"\\\n]*"/, with: "").replacing(/\/\/.*/, with: "")
    let words = Set(bare.matches(of: /(?:^|[^\w.])(\w+)(?![\w:])/).map { String($0.1) })
    return words.subtracting(own).sorted().compactMap { special[library]?[$0] ?? shared[$0] }
  }

  /// The declarations of values, by name.
  private static let shared = [
    "ada": "let ada: Attendee = input()",
    "another": "let another: CalendarItem = input()",
    "base": "let base: CalendarItem = input()",
    "baseBytes": "let baseBytes: [UInt8] = input()",
    "batch": "let batch: FileBatch = input()",
    "before": "let before: CalendarItem = input()",
    "berlin": "let berlin: ZoneRules = input()",
    "binding": "let binding: SyncBinding = input()",
    "bytes": "let bytes: [UInt8] = input()",
    "cacheFolder": "let cacheFolder: String = input()",
    "calendar": "let calendar: Component = input()",
    "calendars": "let calendars: [CalendarLocation] = input()",
    "christmas": "let christmas: CivilDate = input()",
    "chunk": "let chunk: [UInt8] = input()",
    "chunks": "let chunks: [[UInt8]] = input()",
    "command": "let command: MailCommand = input()",
    "component": "var component: Component = input()",
    "configuration": "let configuration: Configuration = input()",
    "contents": "let contents: [UInt8] = input()",
    "created": "let created: CalendarItem = input()",
    "database": "let database: ZoneDatabase = input()",
    "date": "let date: CivilDate = input()",
    "dates": "let dates: DateReading = input()",
    "details": "var details: ItemDetails = input()",
    "disk": "let disk: String = input()",
    "edited": "let edited: CalendarItem = input()",
    "editor": "let editor: LibraryEditor = input()",
    "entry": "let entry: LocalEntry = input()",
    "event": "let event: Component = input()",
    "events": "let events: [Component] = input()",
    "firstDay": "let firstDay: CivilDate = input()",
    "folder": "let folder: String = input()",
    "form": "let form: NormalForm = input()",
    "freeBusy": "var freeBusy: FreeBusy = input()",
    "header": "let header: [UInt8] = input()",
    "home": "let home: CalendarInfo = input()",
    "homeEngine": "let homeEngine: SyncEngine = input()",
    "homeFolder": "let homeFolder: String = input()",
    "invitation": "let invitation: Invitation = input()",
    "indexed": "var indexed: IndexedFolder = input()",
    "item": "let item: CalendarItem = input()",
    "items": "let items: [CalendarItem] = input()",
    "language": "let language: DateLanguage = input()",
    "later": "let later: Instant = input()",
    "ledger": "let ledger: LedgerDatabase = input()",
    "ledgerPath": "let ledgerPath: String = input()",
    "library": "let library: CalendarLibrary = input()",
    "listing": "let listing: FolderListing = input()",
    "localBytes": "let localBytes: [UInt8] = input()",
    "machine": "let machine: Machine = input()",
    "makeUID": "let makeUID: @Sendable () -> UID = input()",
    "meeting": "let meeting: CalendarItem = input()",
    "message": "let message: SchedulingMessage = input()",
    "mine": "let mine: CalendarItem = input()",
    "monday": "let monday: CivilDate = input()",
    "names": "let names: [String] = input()",
    "newYork": "let newYork: ZoneRules = input()",
    "noon": "let noon: CivilDateTime = input()",
    "november": "let november: Range<Instant> = input()",
    "now": "let now: Instant = input()",
    "options": "var options: RecurrenceOptions = input()",
    "password": "let password: String = input()",
    "path": "let path: String = input()",
    "payloads": "let payloads: [(UID, [UInt8])] = input()",
    "phrases": "let phrases: DatePhrases = input()",
    "programPrompt": "let programPrompt: any ProgramPrompt = input()",
    "prompt": "let prompt: any AccessPrompt = input()",
    "purpose": "let purpose: Purpose = input()",
    "query": "var query: OccurrenceQuery = input()",
    "range": "let range: Range<Instant> = input()",
    "reader": "var reader = ComponentReader()",
    "remote": "let remote: RemoteIdentity = input()",
    "remoteBytes": "let remoteBytes: [UInt8] = input()",
    "request": "let request: ReviewRequest = input()",
    "resolver": "let resolver: ZoneResolver = input()",
    "result": "let result: SyncResult = input()",
    "revision": "let revision: Revision = input()",
    "rows": "let rows: [(file: FileVersion, item: ItemSummary)] = input()",
    "seconds": "let seconds: Double = input()",
    "set": "let set: SyncSet = input()",
    "sink": "func sink(_ bytes: [UInt8]) throws {}",
    "sources": "let sources: [FileSource] = input()",
    "start": "let start: EventTime = input()",
    "stateFolder": "let stateFolder: String = input()",
    "stored": "let stored: CalendarItem = input()",
    "stream": "let stream: CalendarStream = input()",
    "temporaryFolder": "let temporaryFolder: String = input()",
    "theirs": "let theirs: CalendarItem = input()",
    "today": "let today: Range<Instant> = input()",
    "versions": "let versions: [FileVersion] = input()",
    "view": "let view: CalendarView<OccurrenceQuery> = input()",
    "watcher": "let watcher: FolderWatcher = input()",
    "week": "let week: Range<Instant> = input()",
    "work": "let work: CalendarInfo = input()",
    "workEngine": "let workEngine: SyncEngine = input()",
    "workFolder": "let workFolder: String = input()",
    "write": "func write(_ bytes: [UInt8]) throws {}",
  ]

  /// The declarations for one library only, by library and name.
  private static let special = [
    "OpenEventKit": [
      "event": "let event: EKEvent = input()",
      "nextWeek": "let nextWeek: Date = input()",
      "noon": "let noon: Date = input()",
      "reload": "@Sendable func reload() {}",
      "store": "let store: EKEventStore = input()",
      "today": "let today: Date = input()",
    ]
  ]
}
