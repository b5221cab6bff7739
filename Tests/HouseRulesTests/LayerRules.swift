// SPDX-License-Identifier: Apache-2.0

/// The executable diagram: which modules the files of each target may import.
///
/// ```
///           EpactMain        EpactServeMain    only where the programs start
///               │                 │
///         EpactCommands       EpactServe
///               │                 │
///         EpactConsole            │        EventKit → OpenEventKit
///               └────┬────────────┴─────────────┘
///             Epact ─┘
///     ┌─────────┴──────────┐
/// CalendarStore      CalendarRemotes
///     └─────────┬──────────┘
///          CalendarSync
///               │
///         CalendarModel        beside the engine: CalendarFiles and CalendarLanguage (CalendarModel,
///               │              ICUServices)
///               │
///           ICalSyntax
///               │
///           Recurrence
///               │
///           CivilTime            beside them: ICUServices (CICU, CivilTime, Recurrence) and
///                                EpactFoundation (CivilTime, CalendarModel)
/// ```
///
/// The compiler is asked the same with `--explicit-target-dependency-import-check error`; this table
/// adds what it cannot know: that the libraries below the stores are free of Foundation and ICU, and
/// that the C library is touched only where the system has to be.
enum LayerRules {
  private static let syntax = ["CivilTime", "Recurrence", "ICalSyntax"]
  private static let model = syntax + ["CalendarModel"]
  private static let engine = model + ["CalendarSync"]
  private static let front =
    engine + [
      "CalendarFiles", "CalendarLanguage", "CalendarStore", "CalendarRemotes", "ICUServices",
    ]

  /// Target folder → modules that its files may import.
  static let allowed: [String: Set<String>] = [
    // The system's zone files are read with the C library, and kept behind a mutex once read.
    "Sources/CivilTime": ["Glibc", "Synchronization"],
    "Sources/Recurrence": ["CivilTime"],
    // `memchr` and one instruction of the processor, in the one file that searches bytes; and a mutex, in
    // which one thread hands another one the room that it has made for it.
    "Sources/ICalSyntax": [
      "CivilTime", "Recurrence", "Glibc", "Synchronization", "_Builtin_intrinsics",
    ],
    // What an item means is worked out once, whoever asks first.
    "Sources/CalendarModel": Set(syntax + ["Synchronization"]),
    // The one library below the stores that may: it converts from and to Foundation's values.
    "Sources/EpactFoundation": Set(model + ["Foundation"]),
    // Calendars of ICU may be used by one thread at a time, and are shared by all.
    "Sources/ICUServices": ["CICU", "CivilTime", "Recurrence", "Synchronization"],
    // The words of dates are those of ICU.
    "Sources/CalendarLanguage": Set(model + ["Foundation", "ICUServices"]),
    // Charsets of ICU, archives of zlib, and the files of the system.
    "Sources/CalendarFiles": Set(model + ["ICUServices", "CInflate", "Glibc"]),
    "Sources/CalendarSync": Set(model),
    // One queue of Dispatch waits for changes of folders, for all threads that watch some.
    "Sources/CalendarStore": Set(
      engine + [
        "CFiles", "CPostgreSQL", "Dispatch", "GRDB", "GRDBSQLite", "Foundation", "Glibc",
        "Synchronization",
      ]),
    "Sources/CalendarRemotes": Set(
      engine + [
        "CCurl", "CNames", "CXMLReader", "Foundation", "Glibc", "Logging", "Synchronization",
      ]),
    "Sources/Epact": Set(
      front + [
        "CFiles", "CPassword", "EpactFoundation", "Foundation", "Glibc", "Logging",
        "Synchronization",
        "TOMLKit",
      ]
    ),
    // EventKit's names for Foundation's users, under the three tiers of access.
    "Sources/CoreLocation": ["Foundation"],
    "Sources/OpenEventKit": Set(
      engine + [
        "CalendarFiles", "CalendarStore", "Epact", "EpactFoundation", "CoreLocation", "Dispatch",
        "Foundation", "Glibc", "Synchronization",
      ]),
    "Sources/EventKit": ["OpenEventKit"],
    // The terminal and the process of a program.
    "Sources/EpactConsole": Set(
      model + [
        "CalendarFiles", "CalendarSync", "CalendarStore", "ICUServices", "Epact", "CMemory",
        "Dispatch", "Glibc",
        "Logging", "Synchronization",
      ]),
    "Sources/EpactCommands": Set(
      front + [
        "Epact", "EpactConsole", "ArgumentParser", "Foundation", "Glibc",
        "Logging",
        "Synchronization",
      ]),
    "Sources/EpactMain": ["EpactCommands"],
    // The page, beside the console: HTTP, templates, and the front.
    "Sources/EpactServe": Set(
      front + [
        "Epact", "Glibc", "HTTPTypes", "Hummingbird", "HummingbirdCore", "Logging", "Mustache",
        "NIOCore", "NIOPosix", "ServiceLifecycle", "Synchronization", "UnixSignals",
      ]),
    "Sources/EpactServeMain": [
      "ArgumentParser", "CMemory", "Dispatch", "Epact", "EpactServe", "Glibc",
    ],
    // They know the answers, so they know nothing of what is asked.
    "Benchmarks/Generator": [],
    "Benchmarks/Runner": Set(model + ["BenchmarkFiles", "Glibc"]),
    "Benchmarks/EventKit": ["OpenEventKit", "Epact", "CalendarSync", "Foundation"],
    "Tests/TestSupport": Set(engine + tools),
    // Packages of their own, which `.ci/consumers` builds: what a user's package may import.
    "Tests/Consumers": Set(
      engine + [
        "CalendarStore", "Epact", "EpactFoundation", "EventKit", "Foundation", "PackageDescription",
      ]),
    // Compiled by `.ci/fuzz` into one module with what lies in Tests/TestSupport/Fuzzing.
    "Tests/Fuzzing": [],
    "Tests/HouseRulesTests": Set(tools),
    "Tests/CivilTimeTests": Set(tools + ["CivilTime"]),
    "Tests/RecurrenceTests": Set(tools + ["CivilTime", "Recurrence"]),
    "Tests/ICalSyntaxTests": Set(tools + syntax),
    "Tests/CalendarModelTests": Set(tools + model),
    "Tests/EpactFoundationTests": Set(tools + model + ["EpactFoundation"]),
    "Tests/ICUServicesTests": Set(tools + ["CivilTime", "Recurrence", "ICUServices"]),
    "Tests/CalendarLanguageTests": Set(tools + model + ["CalendarLanguage"]),
    "Tests/CalendarFilesTests": Set(tools + model + ["CalendarFiles"]),
    "Tests/CalendarSyncTests": Set(tools + engine),
    "Tests/CalendarStoreTests": Set(tools + engine + ["CalendarStore", "GRDB"]),
    "Tests/CalendarRemotesTests": Set(tools + engine + ["CalendarRemotes", "Logging"]),
    "Tests/EpactTests": Set(
      tools + engine + ["Epact", "CalendarFiles", "CalendarRemotes", "CalendarStore"]),
    "Tests/OpenEventKitTests": Set(
      tools + engine + [
        "CalendarFiles", "CalendarStore", "Epact", "EpactFoundation", "EventKit", "OpenEventKit",
        "CoreLocation",
      ]),
    "Tests/EpactConsoleTests": Set(
      tools + ["CalendarFiles", "CalendarModel", "CivilTime", "Epact", "EpactConsole"]),
    "Tests/EpactServeTests": Set(
      tools + engine + [
        "EpactServe", "Epact", "CalendarStore", "HTTPTypes", "Hummingbird", "Logging",
        "NIOCore", "NIOEmbedded",
      ]),
    "Tests/CommandTests": Set(
      tools + engine + [
        "EpactCommands", "EpactConsole", "Epact", "ArgumentParser", "CalendarFiles",
        "CalendarRemotes",
      ]),
    "Tests/ServerTests": Set(tools + engine + ["CalendarRemotes", "CalendarStore"]),
  ]

  /// What every test may use.
  private static let tools = [
    "Dispatch", "Foundation", "Glibc", "Synchronization", "Testing", "TestSupport",
  ]

  /// Whoever may have the whole may have the part; and the C library has two names.
  private static let aliases = ["FoundationEssentials": "Foundation", "Musl": "Glibc"]

  /// The modules that a file imports, with their lines.
  static func imports(in file: SourceFile) -> [(module: String, line: Int)] {
    let code = SwiftCode.of(file.text).lines
    return code.enumerated().compactMap { offset, line in
      let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == ";" })
      guard let place = words.firstIndex(of: "import"), place + 1 < words.count,
        words[..<place].allSatisfy({ $0.hasPrefix("@") || isModifier($0) })
      else { return nil }
      var name = words[place + 1]
      if Self.kinds.contains(name), place + 2 < words.count { name = words[place + 2] }
      return (String(name.prefix { $0 != "." }), offset + 1)
    }
  }

  private static let kinds: Set<Substring> = [
    "struct", "class", "enum", "protocol", "func", "var", "let", "typealias",
  ]

  private static func isModifier(_ word: Substring) -> Bool {
    ["public", "package", "internal", "fileprivate", "private", "unsafe"].contains(word)
  }

  /// The imports of a file that its target may not have.
  static func violations(in file: SourceFile) -> [Violation] {
    let target = file.path.split(separator: "/").prefix(2).joined(separator: "/")
    guard let allowed = allowed[target] else {
      return [Violation(file.path, "\(target) has no row in the table of layers")]
    }
    return imports(in: file).compactMap { module, line in
      guard !allowed.contains(aliases[module] ?? module), module != "Swift" else { return nil }
      return Violation(file.path, line: line, "\(target) may not import \(module)")
    }
  }
}
