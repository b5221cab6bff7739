// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import CalendarSync
import Foundation
import TestSupport
import Testing

/// File systems that do not support all calls, such as FAT and some of networks.
@Suite(.timeLimit(.minutes(60))) struct PoorFileSystemTests {
  private static let uids = (0..<12).map { "item\($0)" }

  /// Creates items, of which one finds its name taken by another item, and changes one.
  static func fill(_ folder: String) throws -> ChildProcess.End {
    let calendar = try FolderCalendar(path: folder, for: .writing)
    let additions = try (uids + ["c"]).map { uid in
      LocalChange.create(try SampleItem.item(SampleItem.event(uid)))
    }
    let outcomes = try calendar.apply(additions)
    guard outcomes.allSatisfy(\.isDone), let revision = outcomes[0].revision else {
      return .refused
    }
    // The items are there already, and this program's version of the first one is known.
    guard try !calendar.apply(additions).contains(where: \.isDone) else { return .unfinished }
    let item = try SampleItem.item(SampleItem.event("item0", "Dinner"))
    let change = LocalChange.update(name: "item0.ics", from: revision, to: item)
    return try calendar.apply([change]).allSatisfy(\.isDone) ? .done : .unfinished
  }

  @Test(
    "Items are written without the calls that a file system lacks, and replace no others",
    arguments: [
      "", "nameless", "nameless exclusive", "nameless exclusive links", "folders",
      "nameless exclusive links folders",
    ])
  func writes(_ missing: String) throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("calendar")
    let place = folder.path(of: "calendar")
    let foreign = SampleItem.calendar(SampleItem.event("foreign"))
    try folder.write(lines: foreign, to: "calendar/c.ics")
    let shim = try KillShim(in: folder.path)
    let end = try ChildProcess.run(
      .fill, in: place, "LD_PRELOAD='\(shim.path)' WITHOUT='\(missing)'")
    #expect(end == .done)
    let names = try FileManager.default.contentsOfDirectory(atPath: place)
    #expect(Set(names) == Set(Self.uids.map { "\($0).ics" } + ["c.ics", "c-2.ics"]))
    let kept = try #require(FileManager.default.contents(atPath: place + "/c.ics"))
    #expect(Array(kept) == SampleItem.bytes(foreign))
  }
}
