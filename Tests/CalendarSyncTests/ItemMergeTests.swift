// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import Testing

@Suite("What becomes of an item")
struct ItemMergeTests {
  struct Case: CustomTestStringConvertible {
    let local: SideState
    let remote: SideState
    /// What follows if the contents differ.
    let different: ItemMerge
    /// What follows if they mean the same.
    let equal: ItemMerge
    var testDescription: String { "\(local) here, \(remote) there" }

    init(
      _ local: SideState, _ remote: SideState, _ merge: ItemMerge, ifEqual equal: ItemMerge? = nil
    ) {
      self.local = local
      self.remote = remote
      different = merge
      self.equal = equal ?? merge
    }
  }

  static let cases = [
    Case(.unchanged, .unchanged, .nothing),
    Case(.unchanged, .changed, .takeRemote),
    Case(.unchanged, .absent, .deleteLocal),
    Case(.unchanged, .unknown, .leave),
    Case(.changed, .unchanged, .takeLocal),
    Case(.changed, .changed, .conflict, ifEqual: .agree),
    Case(.changed, .absent, .restoreRemote),
    Case(.changed, .unknown, .leave),
    Case(.absent, .unchanged, .deleteRemote),
    Case(.absent, .changed, .restoreLocal),
    Case(.absent, .absent, .forget),
    Case(.absent, .unknown, .leave),
    Case(.unknown, .unchanged, .leave),
    Case(.unknown, .changed, .leave),
    Case(.unknown, .absent, .leave),
    Case(.unknown, .unknown, .leave),
  ]

  @Test("Of an item that the sides agreed on, each pair of states decides", arguments: cases)
  func known(_ row: Case) {
    #expect(ItemMerge(local: row.local, remote: row.remote, areEqual: false) == row.different)
    #expect(ItemMerge(local: row.local, remote: row.remote, areEqual: true) == row.equal)
  }

  @Test("The table has every pair of states")
  func complete() {
    let pairs = SideState.allCases.flatMap { local in
      SideState.allCases.map { remote in [local, remote] }
    }
    #expect(Set(Self.cases.map { [$0.local, $0.remote] }) == Set(pairs))
  }

  @Test("With the sides exchanged, the decision is the same with the sides exchanged")
  func symmetry() {
    let mirror: [ItemMerge: ItemMerge] = [
      .takeLocal: .takeRemote, .takeRemote: .takeLocal, .restoreLocal: .restoreRemote,
      .restoreRemote: .restoreLocal, .deleteLocal: .deleteRemote, .deleteRemote: .deleteLocal,
    ]
    for row in Self.cases {
      for areEqual in [true, false] {
        let there = ItemMerge(local: row.local, remote: row.remote, areEqual: areEqual)
        let back = ItemMerge(local: row.remote, remote: row.local, areEqual: areEqual)
        #expect(back == mirror[there] ?? there, "\(row.testDescription)")
      }
    }
  }

  @Test("An item that the sides never agreed on is never deleted")
  func new() {
    for areEqual in [true, false] {
      #expect(ItemMerge(isLocal: true, isRemote: false, areEqual: areEqual) == .takeLocal)
      #expect(ItemMerge(isLocal: false, isRemote: true, areEqual: areEqual) == .takeRemote)
      #expect(ItemMerge(isLocal: false, isRemote: false, areEqual: areEqual) == .forget)
    }
    #expect(ItemMerge(isLocal: true, isRemote: true, areEqual: true) == .agree)
    #expect(ItemMerge(isLocal: true, isRemote: true, areEqual: false) == .conflict)
  }
}
