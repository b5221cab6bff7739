// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import ICalSyntax
import TestSupport
import Testing

/// The copies that other programs keep beside the files of a random history.
///
/// They hold an older text of the item, the same one, or a newer one. None of them may become the
/// item while its own file is there, and an older one may not replace it afterwards.
struct CopiedFiles {
  private enum Text: CaseIterable {
    case older, equal, newer
  }

  /// What the sides hold of an item before a run.
  private struct Before {
    let local: CalendarItem?
    let remote: CalendarItem?
    let copies: [String: [UInt8]]
    /// Whether the text is in the place of the item's file, and is not later.
    let isStale: Bool
  }

  /// How programs and people name copies, by the name without its ending.
  private static let schemes: [@Sendable (String) -> String] = [
    { "\($0) (copy)" }, { "\($0) (1)" }, { "\($0) - Copy" }, { "\($0) copy" }, { "\($0)-HOST" },
    { "\($0) (conflicted copy 2026-11-26 165400)" },
    { "\($0) (Ada's conflicted copy 2026-11-26)" },
    { "\($0).sync-conflict-20261126-165400-ABCDEFG" }, { "\($0)_backup" }, { "Copy of \($0)" },
    { "\($0)~1" }, { "\($0)_conflict-20261126-165400" }, { "0\($0)" }, { "\($0) (another copy)" },
  ]

  private var versions: [String: [CalendarItem]] = [:]
  private var names: [String: Set<String>] = [:]
  private var before: [String: Before] = [:]
  private var count = 0

  /// Whether a copy of an item is there.
  func has(_ uid: String, in scene: SyncScene) -> Bool { !copies(of: uid, in: scene).isEmpty }

  private func copies(of uid: String, in scene: SyncScene) -> [String: [UInt8]] {
    let item = scene.local.name(of: uid)
    return scene.local.contents.filter { name, _ in
      name != item && names[uid]?.contains(name) ?? false
    }
  }

  /// Notes the texts that the local calendar holds.
  mutating func note(_ scene: SyncScene) {
    for (uid, item) in scene.local.items where versions[uid]?.last != item {
      versions[uid, default: []].append(item)
    }
  }

  // MARK: What other programs do

  /// Lets a copy appear or vanish, or the file beside which it is.
  ///
  /// - Parameters:
  ///   - uid: The item.
  ///   - scene: The sides.
  ///   - random: The source of randomness.
  /// - Returns: What happened; nil if nothing could. The flag states that the item's file is gone.
  mutating func disturb(
    _ uid: String, _ scene: SyncScene, _ random: inout SeededGenerator
  ) -> (step: String, isGone: Bool)? {
    guard let name = scene.local.name(of: uid), let item = scene.local.items[uid] else {
      return nil
    }
    let copies = copies(of: uid, in: scene).keys.sorted()
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      guard let copy = copies.randomElement(using: &random) else { return nil }
      scene.local.removeFile(copy)
      return ("remove \(copy)", false)
    case 1:
      guard !copies.isEmpty else { return nil }
      scene.local.removeFile(name)
      return ("remove \(name) beside \(copies)", true)
    default:
      let text = Text.allCases.randomElement(using: &random) ?? .equal
      guard let copy = copied(item, text, &random),
        let scheme = Self.schemes.randomElement(using: &random)
      else { return nil }
      let place = scheme(String(name.dropLast(4))) + ".ics"
      guard scene.local.contents[place] == nil else { return nil }
      names[uid, default: []].insert(place)
      scene.local.write(copy.serialized(), as: place)
      return ("copy \(name) as \(place), \(text)", false)
    }
  }

  private mutating func copied(
    _ item: CalendarItem, _ text: Text, _ random: inout SeededGenerator
  ) -> CalendarItem? {
    switch text {
    case .equal: return item
    case .older: return versions[item.uid.rawValue]?.dropLast().randomElement(using: &random)
    case .newer:
      count += 1
      let lines = String(decoding: item.serialized(), as: UTF8.self).split(separator: "\r\n")
      let changed = lines.map { line in
        if line.hasPrefix("SUMMARY:") { return "SUMMARY:\(item.uid)copy\(count)" }
        return line.hasPrefix("LAST-MODIFIED:") ? "LAST-MODIFIED:20270101T000000Z" : String(line)
      }
      return TestItem.parse(changed.map { $0 + "\r\n" }.joined())
    }
  }

  // MARK: What must hold

  /// Notes what the sides hold before a run.
  mutating func prepare(_ scene: SyncScene) async throws {
    before = [:]
    let entries = try await scene.ledger.entries(of: scene.binding)
    let bases = Dictionary(entries.map { ($0.uid.rawValue, $0) }) { first, _ in first }
    for (uid, item) in scene.local.items where names[uid] != nil {
      before[uid] = Before(
        local: item, remote: scene.remote.items[uid], copies: copies(of: uid, in: scene),
        isStale: bases[uid].map { Self.isStale(item, scene.local.name(of: uid), $0) } ?? false)
    }
  }

  private static func isStale(
    _ item: CalendarItem, _ name: String?, _ entry: LedgerEntry
  ) -> Bool {
    guard name != entry.localName, item.fingerprint != entry.localBase,
      let base = entry.base.flatMap({ try? CalendarItem(parsing: $0) }),
      let known = base.components.map(\.revision).max(),
      let revision = item.components.map(\.revision).max()
    else { return false }
    return revision <= known
  }

  /// Checks that the run took no text of a copy, and that no copy was written.
  func check(_ scene: SyncScene, _ told: String) {
    for (uid, sides) in before {
      for (name, bytes) in sides.copies {
        #expect(scene.local.contents[name] == bytes, "\(name) is as it was; \(told)")
      }
      let allowed = [sides.remote, sides.isStale ? nil : sides.local].compactMap(\.self)
      if let there = scene.remote.items[uid] {
        #expect(Self.holds(there, only: allowed), "\(uid) there is that of its file; \(told)")
      }
      guard let here = scene.local.items[uid] else { continue }
      #expect(
        Self.holds(here, only: [sides.local, sides.remote].compactMap(\.self)),
        "\(uid) here is that of its file; \(told)")
    }
  }

  /// Whether each field of an item is from one of some items, up to a comma.
  private static func holds(_ item: CalendarItem, only others: [CalendarItem]) -> Bool {
    [PropertyName.summary, .location].allSatisfy { name in
      let texts = others.map { $0.main?[name]?.text.prefix { $0 != "," } ?? "" }
      return texts.contains(item.main?[name]?.text.prefix { $0 != "," } ?? "")
    }
  }

  /// Removes the copies, as the reports ask for; what took the place of an item's file stays if the
  /// remote has the item.
  ///
  /// A file that a person renamed and edited, and that no run could take for later, gets its name
  /// back.
  ///
  /// - Parameter scene: The sides.
  /// - Returns: The items whose files are removed.
  /// - Throws: An error of the ledger.
  mutating func tidy(_ scene: SyncScene) async throws -> [CalendarItem] {
    var removed: [CalendarItem] = []
    for uid in names.keys {
      for name in copies(of: uid, in: scene).keys { scene.local.removeFile(name) }
      if let name = scene.local.name(of: uid), names[uid]?.contains(name) ?? false,
        scene.remote.items[uid] == nil
      {
        removed += [scene.local.items[uid]].compactMap(\.self)
        scene.local.removeFile(name)
      }
    }
    for entry in try await scene.ledger.entries(of: scene.binding) {
      let uid = entry.uid.rawValue
      if let item = scene.local.items[uid], scene.remote.items[uid] == nil,
        scene.local.contents[entry.localName] == nil,
        Self.isStale(item, scene.local.name(of: uid), entry)
      {
        scene.local.rename(uid, to: entry.localName)
      }
    }
    return removed
  }
}
