// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import Foundation
import TestSupport
import Testing

@Suite struct ItemSpoolTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Everything that comes out, and whether a file was needed for it.
  private func groups(
    of records: [(String, [UInt8])], threshold: Int
  ) throws -> [ItemSpool.Group] {
    var spool = ItemSpool(folder: folder.path, threshold: threshold)
    for (uid, payload) in records { try spool.add(payload, of: UID(uid)) }
    var groups: [ItemSpool.Group] = []
    while let group = try spool.next() { groups.append(group) }
    #expect(try spool.next() == nil)
    #expect(try folder.names() == [])
    return groups
  }

  @Test func anEmptySpoolGivesNothing() throws {
    #expect(try groups(of: [], threshold: 0) == [])
  }

  @Test func inMemoryTheUIDsComeInTheOrderInWhichTheyCame() throws {
    let groups = try groups(of: [("b", [1]), ("a", [2]), ("b", [3])], threshold: 1 << 20)
    #expect(groups.map(\.uid.rawValue) == ["b", "a"])
    #expect(groups.map(\.payloads) == [[[1], [3]], [[2]]])
  }

  @Test func nothingIsWrittenBelowTheThreshold() throws {
    var spool = ItemSpool(folder: folder.path(of: "none"))
    try spool.add([1], of: UID("a"))
    #expect(try spool.next() == ItemSpool.Group(uid: UID("a"), payloads: [[1]]))
  }

  @Test func theFolderIsNamedWhenItIsNeededAndNotThere() throws {
    var spool = ItemSpool(folder: folder.path(of: "none"), threshold: 0)
    var thrown: StoreError?
    do throws(StoreError) {
      try spool.add([1], of: UID("a"))
    } catch {
      thrown = error
    }
    #expect(thrown?.code == .notFound)
    #expect(thrown?.path == folder.path(of: "none"))
  }

  @Test func oneUIDThatIsLargerThanTheThresholdIsOneGroup() throws {
    let records = (0..<100).map { ("a", [UInt8](repeating: UInt8($0), count: 1000)) }
    #expect(
      try groups(of: records, threshold: 500)
        == [ItemSpool.Group(uid: UID("a"), payloads: records.map(\.1))])
  }

  @Test func UIDsThatOnlyLookEqualAreNotMixed() throws {
    for threshold in [0, 1 << 20] {
      let groups = try groups(of: [("\u{FC}", [1]), ("u\u{308}", [2])], threshold: threshold)
      #expect(groups.map(\.payloads).count == 2)
    }
  }

  @Test func groupsAreThoseOfADictionaryWhateverTheThreshold() throws {
    for seed in 0..<40 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let uidCount = Int.random(in: 1...200, using: &random)
      let records = (0..<Int.random(in: 0...600, using: &random)).map { _ in
        let length = Int.random(in: 0...40, using: &random) == 0 ? 70_000 : 30
        let payload = (0..<Int.random(in: 0...length, using: &random)).map { UInt8($0 & 0xFF) }
        let number = Int.random(in: 0..<uidCount, using: &random)
        return (number == 0 ? "" : "uid-\(number)\u{0}ü", payload)
      }
      var expected: [String: [[UInt8]]] = [:]
      for (uid, payload) in records { expected[uid, default: []].append(payload) }
      let threshold = [0, 300, 5_000, 100_000, 10_000_000].randomElement(using: &random) ?? 0
      let groups = try groups(of: records, threshold: threshold)
      let found = Dictionary(groups.map { ($0.uid.rawValue, $0.payloads) }) { first, second in
        Issue.record("seed \(seed): a UID came twice")
        return first + second
      }
      #expect(found == expected, "seed \(seed), threshold \(threshold)")
      let again = try self.groups(of: records, threshold: threshold)
      #expect(again == groups, "seed \(seed): another order")
    }
  }

  @Test(.enabled(if: SmallDisk.isPossible)) func aFullDiskIsNamedAndIsEmptyAfterwards() throws {
    let disk = try SmallDisk(kilobytes: 256)
    var spool = ItemSpool(folder: disk.path, threshold: 1000)
    var thrown: StoreError?
    for number in 0..<1000 where thrown == nil {
      do throws(StoreError) {
        try spool.add([UInt8](repeating: 1, count: 10_000), of: UID("\(number)"))
      } catch {
        thrown = error
      }
    }
    #expect(thrown?.code == .noSpace)
    #expect(try disk.names() == [])
    _ = consume spool
    try AtomicFile.write(
      [UInt8](repeating: 1, count: 200_000), to: disk.path + "/a", permissions: .shared)
  }
}
