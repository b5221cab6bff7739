// SPDX-License-Identifier: Apache-2.0

package import CalendarSync
package import Testing

/// What every side of an account has to do: folders, servers, and the double that stands in for them.
package struct AccountConformance {
  private let account: any CalendarAccount
  private let fill: (AccountCollection) async throws -> Void

  /// Takes a side.
  ///
  /// - Parameters:
  ///   - account: The side, which may have calendars.
  ///   - fill: Puts an item into a calendar, as another program does.
  package init(
    _ account: any CalendarAccount, fill: @escaping (AccountCollection) async throws -> Void
  ) {
    self.account = account
    self.fill = fill
  }

  /// Tries everything, and leaves the calendars that were there.
  package func run(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let before = Set(try await account.collections())
    for name in ["conformance-plain", "Zwölf Uhr", "50% off", "a+b"] {
      let id = try #require(CollectionID(folder: name), sourceLocation: sourceLocation)
      let made = try await account.create(id, title: "Title \(name)", for: nil)
      #expect(made.id == id, sourceLocation: sourceLocation)
      let listed = try await account.collections().filter { $0.id == id }
      #expect(listed.map(\.place) == [made.place], sourceLocation: sourceLocation)
      // What is there already is found, and stays as it is.
      try await fill(made)
      let again = try await account.create(id, title: nil, for: nil)
      #expect(again.place == made.place, sourceLocation: sourceLocation)
      #expect(
        try await account.remove(made, withItems: false) == 1, sourceLocation: sourceLocation)
      #expect(
        try await account.collections().contains { $0.id == id }, sourceLocation: sourceLocation)
      #expect(
        try await account.remove(made, withItems: true) == 0, sourceLocation: sourceLocation)
      #expect(Set(try await account.collections()) == before, sourceLocation: sourceLocation)
    }
    let id = try #require(CollectionID(folder: "empty"), sourceLocation: sourceLocation)
    let empty = try await account.create(id, title: nil, for: nil)
    #expect(try await account.remove(empty, withItems: false) == 0, sourceLocation: sourceLocation)
    #expect(Set(try await account.collections()) == before, sourceLocation: sourceLocation)
  }
}
