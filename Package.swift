// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

#if canImport(Glibc)
  import Glibc
#endif

/// Lets the optimizing compiler generate the code of a module on all cores.
///
/// A module that others wait for is built sooner, and its code takes as many instructions.
///
/// A package that another one depends on may not choose flags of the compiler, so that a checkout of
/// a dependency has none.
let generationSettings: [SwiftSetting] = {
  #if canImport(Glibc)
    let folders = Context.packageDirectory.split(separator: "/")
    let isDependency = [".build", "checkouts", "SourcePackages"].contains { folders.contains($0) }
    let cores = min(max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1), 8)
    if !isDependency {
      return [.unsafeFlags(["-num-threads", "\(cores)"], .when(configuration: .release))]
    }
  #endif
  return []
}()

/// The settings that every Swift target shares, for the same rules everywhere.
let settings: [SwiftSetting] =
  generationSettings + [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
  ]

/// A library target in the order of the layers: it may import only what is named in `dependencies`.
func layer(
  _ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, resources: resources, swiftSettings: settings)
}

/// A test target beside the library of the same name.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["TestSupport"], swiftSettings: settings)
}

/// Lets the list of addresses to adjust at the start be a hundredth of its size, 2.4 MB, where the
/// C library can read that: glibc from 2.36 on.
let packedRelocations: [String] = {
  #if canImport(Glibc)
    // "glibc 2.36"
    var name = [CChar](repeating: 0, count: 64)
    let length = confstr(Int32(_CS_GNU_LIBC_VERSION), &name, name.count)
    let words = String(decoding: name.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let version = words.split(whereSeparator: { !$0.isNumber }).compactMap { Int($0) }
    if version.count >= 2, (version[0], version[1]) >= (2, 36) {
      return ["-Xlinker", "-z", "-Xlinker", "pack-relative-relocs"]
    }
  #endif
  return []
}()

/// How the program is linked: with Swift's own libraries inside it.
///
/// The dynamic linker needs longer for fourteen shared libraries than most commands take. The
/// program exports no names, because no other code links to it. The linker is the one that comes
/// with Swift.
///
/// The tests are not linked in this way: their own libraries come with the toolchain. Packages that
/// use the libraries have no part in it, since no product of theirs contains the target.
let programLinkerSettings: [LinkerSetting] = [
  .unsafeFlags(
    [
      "-static-stdlib", "-use-ld=lld", "-Xlinker", "--no-export-dynamic", "-Xlinker", "-z",
      "-Xlinker", "now",
    ]
      + packedRelocations,
    .when(platforms: [.linux])),
  // The libraries that Foundation consists of; its modules do not link them by themselves.
  .linkedLibrary("CoreFoundation", .when(platforms: [.linux])),
  .linkedLibrary("_FoundationICU", .when(platforms: [.linux])),
  .linkedLibrary("_FoundationCShims", .when(platforms: [.linux])),
  .linkedLibrary("_FoundationCollections", .when(platforms: [.linux])),
]

/// The condition of the packages that only stores, remotes and the front need.
///
/// A package that depends on a lower layer alone writes `traits: []`, and resolves none of them.
let sync = TargetDependencyCondition.when(traits: ["Sync", "CommandLine"])

/// The condition of the packages that only the programs need.
let program = TargetDependencyCondition.when(traits: ["CommandLine"])

let package = Package(
  name: "epact",
  products: [
    .executable(name: "epact", targets: ["EpactMain"]),
    .executable(name: "epact-serve", targets: ["EpactServeMain"]),
    .executable(name: "epact-benchmarks", targets: ["EpactBenchmarks"]),
    .library(name: "CivilTime", targets: ["CivilTime"]),
    .library(name: "Recurrence", targets: ["Recurrence"]),
    .library(name: "ICalSyntax", targets: ["ICalSyntax"]),
    .library(name: "CalendarModel", targets: ["CalendarModel"]),
    .library(name: "EpactFoundation", targets: ["EpactFoundation"]),
    .library(name: "ICUServices", targets: ["ICUServices"]),
    .library(name: "CalendarLanguage", targets: ["CalendarLanguage"]),
    .library(name: "CalendarFiles", targets: ["CalendarFiles"]),
    .library(name: "CalendarSync", targets: ["CalendarSync"]),
    .library(name: "CalendarStore", targets: ["CalendarStore"]),
    .library(name: "CalendarRemotes", targets: ["CalendarRemotes"]),
    .library(name: "Epact", targets: ["Epact"]),
    .library(name: "OpenEventKit", targets: ["OpenEventKit"]),
    .library(name: "EventKit", targets: ["EventKit", "CoreLocation"]),
  ],
  traits: [
    .trait(
      name: "Sync",
      description: "Stores, remotes and the front: CalendarStore, CalendarRemotes and Epact."),
    .trait(name: "CommandLine", description: "The program epact, and all that Sync has."),
    // One trait alone: SwiftPM passes the names of several in random order, and compiles everything
    // again if the order differs from that of the build before.
    .default(enabledTraits: ["CommandLine"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
    .package(
      url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.7.0"),
  ],
  targets: [
    // System libraries and the C shims over them. No shim's public header includes a header of ICU:
    // ICU's module and Foundation's cannot be imported into one compilation.
    .systemLibrary(
      name: "SystemICU", path: "Sources/SystemICU", pkgConfig: "icu-i18n",
      providers: [.apt(["libicu-dev"])]),
    .systemLibrary(
      name: "SystemXML", path: "Sources/SystemXML", pkgConfig: "libxml-2.0",
      providers: [.apt(["libxml2-dev"])]),
    .systemLibrary(
      name: "SystemPSL", path: "Sources/SystemPSL", pkgConfig: "libpsl",
      providers: [.apt(["libpsl-dev"])]),
    .systemLibrary(
      name: "SystemZlib", path: "Sources/SystemZlib", pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"])]),
    .target(name: "CICU", dependencies: ["SystemICU"]),
    // libcurl is loaded when it is needed, and not linked; only its headers have to be there.
    .target(name: "CCurl", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .target(name: "CXMLReader", dependencies: ["SystemXML"]),
    .target(
      name: "CNames", dependencies: ["SystemPSL"], linkerSettings: [.linkedLibrary("resolv")]),
    .target(name: "CInflate", dependencies: ["SystemZlib"]),
    .target(name: "CFiles"),
    // libsodium is loaded when it is needed, and not linked.
    .target(name: "CPassword", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    // libpq is loaded when it is needed, and not linked.
    .target(
      name: "CPostgreSQL", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .target(name: "CMemory"),

    // The layers, lowest first.
    layer("CivilTime"),
    layer("Recurrence", ["CivilTime"]),
    layer("ICalSyntax", ["CivilTime", "Recurrence"]),
    layer("CalendarModel", ["CivilTime", "Recurrence", "ICalSyntax"]),
    layer("EpactFoundation", ["CivilTime", "Recurrence", "ICalSyntax", "CalendarModel"]),
    layer("ICUServices", ["CICU", "CivilTime", "Recurrence"]),
    layer(
      "CalendarFiles",
      ["CivilTime", "Recurrence", "ICalSyntax", "CalendarModel", "ICUServices", "CInflate"]),
    layer(
      "CalendarLanguage",
      ["CivilTime", "Recurrence", "ICalSyntax", "CalendarModel", "ICUServices"]),
    layer("CalendarSync", ["CivilTime", "Recurrence", "ICalSyntax", "CalendarModel"]),
    layer(
      "CalendarStore",
      [
        "CivilTime", "ICalSyntax", "CalendarModel", "CalendarSync", "CFiles", "CPostgreSQL",
        .product(name: "GRDB", package: "GRDB.swift", condition: sync),
        .product(name: "GRDBSQLite", package: "GRDB.swift", condition: sync),
      ]),
    layer(
      "CalendarRemotes",
      ["CivilTime", "ICalSyntax", "CalendarModel", "CalendarSync", "CCurl", "CXMLReader", "CNames"]),
    layer(
      "Epact",
      [
        "CivilTime", "Recurrence", "ICalSyntax", "CalendarModel", "EpactFoundation",
        "CalendarFiles", "CalendarLanguage", "ICUServices", "CalendarSync", "CalendarStore",
        "CalendarRemotes", "CFiles", "CPassword",
        .product(name: "TOMLKit", package: "TOMLKit", condition: sync),
        .product(name: "Logging", package: "swift-log", condition: sync),
      ]),
    // EventKit's names and rules over the front. `EventKit` and `CoreLocation` are the modules that
    // source written for Apple's systems imports. A module `CoreGraphics` would mislead packages
    // that look for CGFloat by `canImport(CoreGraphics)`: GRDB does not compile beside it.
    layer("CoreLocation"),
    layer(
      "OpenEventKit",
      [
        "CivilTime", "Recurrence", "ICalSyntax", "CalendarModel", "EpactFoundation", "CalendarSync",
        "CalendarStore", "CalendarFiles", "Epact", "CoreLocation",
      ]),
    layer("EventKit", ["OpenEventKit"]),
    layer(
      "EpactConsole",
      [
        "CivilTime", "Recurrence", "ICalSyntax", "CalendarModel", "CalendarFiles", "ICUServices",
        "CalendarSync",
        "CalendarStore", "Epact", "CMemory",
        .product(name: "Logging", package: "swift-log", condition: sync),
      ]),
    layer(
      "EpactCommands",
      [
        "CivilTime", "Recurrence", "ICalSyntax", "CalendarModel", "CalendarFiles", "ICUServices",
        "CalendarSync", "CalendarStore", "CalendarRemotes", "Epact", "EpactConsole",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: program),
        .product(name: "Logging", package: "swift-log", condition: sync),
      ],
      resources: [
        .embedInCode("Commands/Tour/Resources"), .embedInCode("Commands/Manual/Resources"),
      ]),
    layer(
      "EpactServe",
      [
        "CivilTime", "Recurrence", "ICalSyntax", "CalendarModel", "CalendarFiles",
        "CalendarLanguage", "ICUServices", "CalendarSync", "CalendarStore", "Epact",
        .product(name: "Hummingbird", package: "hummingbird", condition: program),
        .product(name: "HummingbirdCore", package: "hummingbird", condition: program),
        .product(name: "Mustache", package: "swift-mustache", condition: program),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: program),
        .product(name: "UnixSignals", package: "swift-service-lifecycle", condition: program),
        .product(name: "Logging", package: "swift-log", condition: sync),
      ], resources: [.embedInCode("Templates"), .embedInCode("Assets")]),
    .executableTarget(
      name: "EpactServeMain",
      dependencies: [
        "EpactServe", "Epact", "CMemory",
        .product(name: "ArgumentParser", package: "swift-argument-parser", condition: program),
      ], swiftSettings: settings, linkerSettings: programLinkerSettings),
    .executableTarget(
      name: "EpactMain", dependencies: ["EpactCommands"], swiftSettings: settings,
      linkerSettings: programLinkerSettings),

    // The benchmarks: what writes the files and knows the answers, and what measures. No other
    // target imports them.
    .target(name: "BenchmarkFiles", path: "Benchmarks/Generator", swiftSettings: settings),
    .executableTarget(
      name: "EpactBenchmarks",
      dependencies: ["BenchmarkFiles", "CivilTime", "Recurrence", "ICalSyntax", "CalendarModel"],
      path: "Benchmarks/Runner", swiftSettings: settings),

    .executableTarget(
      name: "EventKitBenchmarks", dependencies: ["OpenEventKit", "Epact", "CalendarSync"],
      path: "Benchmarks/EventKit", swiftSettings: settings),

    // Tests: one target a library, the house rules, the program, and real servers.
    .target(
      name: "TestSupport",
      dependencies: ["CivilTime", "Recurrence", "ICalSyntax", "CalendarModel", "CalendarSync"],
      path: "Tests/TestSupport", swiftSettings: settings),
    tests("HouseRulesTests", []),
    tests("CivilTimeTests", ["CivilTime"]),
    tests("RecurrenceTests", ["Recurrence", "CivilTime"]),
    tests("ICalSyntaxTests", ["ICalSyntax", "CivilTime", "Recurrence"]),
    tests("CalendarModelTests", ["CalendarModel", "ICalSyntax", "CivilTime", "Recurrence"]),
    tests(
      "EpactFoundationTests",
      ["EpactFoundation", "CalendarModel", "ICalSyntax", "Recurrence", "CivilTime"]),
    tests("ICUServicesTests", ["ICUServices", "CivilTime", "Recurrence"]),
    tests(
      "CalendarLanguageTests", ["CalendarLanguage", "CalendarModel", "ICalSyntax", "CivilTime"]),
    tests("CalendarFilesTests", ["CalendarFiles", "CalendarModel", "ICalSyntax", "CivilTime"]),
    tests("CalendarSyncTests", ["CalendarSync", "CalendarModel", "ICalSyntax", "CivilTime"]),
    tests(
      "CalendarStoreTests",
      ["CalendarStore", "CalendarSync", "CalendarModel", "ICalSyntax", "CivilTime"]),
    tests(
      "CalendarRemotesTests",
      ["CalendarRemotes", "CalendarSync", "CalendarModel", "ICalSyntax", "CivilTime"]),
    tests(
      "EpactTests",
      [
        "Epact", "CalendarFiles", "CalendarRemotes", "CalendarStore", "CalendarSync",
        "CalendarModel", "ICalSyntax", "CivilTime",
      ]),
    tests(
      "OpenEventKitTests",
      [
        "EventKit", "OpenEventKit", "CoreLocation", "Epact", "EpactFoundation", "CalendarFiles",
        "CalendarStore", "CalendarSync", "CalendarModel", "ICalSyntax", "Recurrence", "CivilTime",
      ]),
    tests(
      "EpactConsoleTests",
      ["EpactConsole", "Epact", "CalendarFiles", "CalendarModel", "CivilTime"]),
    tests(
      "EpactServeTests",
      [
        "EpactServe", "Epact", "CalendarStore", "CalendarSync", "CalendarModel", "ICalSyntax",
        "CivilTime",
        .product(name: "Hummingbird", package: "hummingbird", condition: program),
        .product(name: "Logging", package: "swift-log", condition: sync),
      ]),
    tests(
      "CommandTests",
      [
        "EpactCommands", "EpactConsole", "Epact", "CalendarFiles", "CalendarRemotes",
        "CalendarSync",
        "CalendarModel", "ICalSyntax",
      ]),
    tests(
      "ServerTests",
      [
        "CalendarRemotes", "CalendarStore", "CalendarSync", "CalendarModel", "ICalSyntax",
        "CivilTime",
      ]),
  ]
)

// The documentation plugin is a dependency only for `.ci/docs`, so that no other package resolves
// it.
if Context.environment["EPACT_DOCS"] != nil {
  package.dependencies.append(
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"))
}
