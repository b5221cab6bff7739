// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
public import CalendarSync
import FoundationEssentials
import ICalSyntax

/// A program that uses the local calendars: its identity, and the purposes it states.
///
/// ```swift
/// let program = Program.current(machine: .live())
/// ```
///
/// The program describes itself in a property list, `Info.plist`, as on Apple's systems. It is
/// beside the executable, or in the folder above:
///
/// ```xml
/// <key>CFBundleIdentifier</key><string>org.example.booker</string>
/// <key>NSCalendarsWriteOnlyAccessUsageDescription</key>
/// <string>Adds the classes that you book.</string>
/// ```
public struct Program: Hashable, Sendable {
  /// The bundle identifier; the path of the executable if the program has none.
  public let identifier: String
  /// The name for display.
  public let name: String
  /// The purposes of access in the words of the program, by the key in its property list.
  public let purposes: [String: String]

  /// Creates a program.
  public init(identifier: String, name: String, purposes: [String: String]) {
    self.identifier = identifier
    self.name = name
    self.purposes = purposes
  }

  /// The program that the process runs.
  ///
  /// A property list whose `CFBundleExecutable` names another executable is ignored, and an
  /// unreadable one is reported to ``Machine/note``.
  public static func current(machine: Machine) -> Program {
    let path = machine.executablePath
    let file = Self.name(of: path)
    let list = PropertyList.find(for: path, reportingTo: machine.note)
    return Program(
      identifier: list?["CFBundleIdentifier"] ?? path,
      name: list?["CFBundleDisplayName"] ?? list?["CFBundleName"] ?? file,
      purposes: list?.purposes ?? [:])
  }

  /// The key of the purpose that a request has to state.
  public static func purposeKey(of tier: AccessTier, for entity: ProgramEntity) -> String {
    switch entity {
    case .reminders: "NSRemindersFullAccessUsageDescription"
    case .events:
      tier == .full
        ? "NSCalendarsFullAccessUsageDescription" : "NSCalendarsWriteOnlyAccessUsageDescription"
    }
  }

  /// The stated purpose of a tier; nil if there is none with a visible character.
  public func purpose(of tier: AccessTier, for entity: ProgramEntity) -> String? {
    guard let text = purposes[Self.purposeKey(of: tier, for: entity)],
      (try? Purpose(text)) != nil
    else { return nil }
    return text
  }

  /// The name of an executable at a path.
  static func name(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}

/// The texts of a property list, in the XML or the binary form.
private struct PropertyList: Decodable {
  /// The maximum size of a property list, in bytes.
  private static let sizeLimit = 1 << 20

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
  }

  private let texts: [String: String]

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    var texts: [String: String] = [:]
    for key in container.allKeys {
      // Values of other types are no texts.
      texts[key.stringValue] = try? container.decode(String.self, forKey: key)
    }
    self.texts = texts
  }

  /// A text in which characters are visible; names with control characters are ignored.
  subscript(_ key: String) -> String? {
    guard let text = texts[key], !text.isEmpty,
      !text.unicodeScalars.contains(where: SafeText.isUnsafe)
    else { return nil }
    return text
  }

  var purposes: [String: String] {
    texts.filter { $0.key.hasSuffix("UsageDescription") }
  }

  /// Reads the property list of an executable, beside it or in the folder above.
  static func find(
    for executable: String, reportingTo note: @Sendable (String) -> Void
  ) -> PropertyList? {
    guard let slash = executable.lastIndex(of: "/") else { return nil }
    let folder = executable[..<slash]
    for path in ["\(folder)/Info.plist", "\(folder)/../Info.plist"] {
      guard var file = try? InputStream(path: path) else { continue }
      do {
        guard let bytes = try file.readAll(limit: sizeLimit) else {
          note("\(path) is larger than 1 MiB, and is ignored")
          continue
        }
        let list = try PropertyListDecoder().decode(PropertyList.self, from: Data(bytes))
        let owner = list["CFBundleExecutable"]
        if owner == nil || owner == Program.name(of: executable) { return list }
      } catch {
        note("\(path) is not a property list, and is ignored")
      }
    }
    return nil
  }
}
