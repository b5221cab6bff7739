// SPDX-License-Identifier: Apache-2.0

/// One side of a whole account: the calendars of a user on a server, or a folder of folders.
package protocol CalendarAccount: Sendable {
  /// Lists all calendars.
  ///
  /// - Throws: An error if the list may be incomplete, because a missing calendar counts as gone.
  func collections() async throws -> [AccountCollection]

  /// Lists all calendars, and names the parts of the list that are missing.
  ///
  /// - Throws: An error if parts are missing that cannot be named.
  func list() async throws -> AccountList

  /// Creates an empty calendar, durably.
  ///
  /// - Parameters:
  ///   - id: The name, from which the place is derived; an existing calendar is returned.
  ///   - title: The name for people, or nil.
  ///   - components: The components that it is for, such as `VEVENT`; nil for all.
  /// - Returns: The calendar as the side lists it.
  /// - Throws: An error of the side, such as its refusal.
  func create(
    _ id: CollectionID, title: String?, for components: Set<String>?
  ) async throws -> AccountCollection

  /// Removes a calendar with all items in it.
  ///
  /// - Parameters:
  ///   - collection: The calendar.
  ///   - isWithItems: Whether a calendar with items is removed, too; it is looked at right before.
  /// - Returns: The number of items because of which it was not removed; 0 if it is gone.
  /// - Throws: An error of the side.
  func remove(_ collection: AccountCollection, withItems isWithItems: Bool) async throws -> Int
}

extension CalendarAccount {
  /// Default implementation: a list without gaps.
  package func list() async throws -> AccountList {
    AccountList(collections: try await collections())
  }
}

/// The calendars of one side of an account, and what is missing from the list.
package struct AccountList: Hashable, Sendable {
  /// A part that is missing: a calendar, or a collection of calendars.
  ///
  /// Its calendars are neither created nor gone.
  package struct Gap: Hashable, Sendable {
    /// The address of the calendar or the collection.
    package let place: String
    /// The name of the calendar within the account; nil for a collection of calendars.
    package let id: CollectionID?
    /// The reason, such as the status of the server.
    package let reason: String
    /// Whether calendars may be in it that were never listed.
    package let mayHoldMore: Bool

    /// Creates a gap.
    package init(place: String, id: CollectionID?, reason: String, mayHoldMore: Bool = false) {
      self.place = place
      self.id = id
      self.reason = reason
      self.mayHoldMore = mayHoldMore
    }

    /// Whether a calendar may be in the gap.
    func mayHold(_ id: CollectionID, _ known: KnownCollection?) -> Bool {
      if self.id == id { return true }
      guard let known else { return mayHoldMore }
      return Href(known.location).comparisonKey.starts(with: Href(place).comparisonKey)
    }
  }

  /// The calendars.
  package let collections: [AccountCollection]
  /// The missing parts.
  package let gaps: [Gap]

  /// Creates a list.
  package init(collections: [AccountCollection], gaps: [Gap] = []) {
    self.collections = collections
    self.gaps = gaps
  }
}

/// A calendar in the list of one side of an account.
package struct AccountCollection: Hashable, Sendable {
  /// The name within the account.
  package let id: CollectionID
  /// The address of the calendar on the server, or the name of its folder.
  package let place: String
  /// The name for people; nil if it has none.
  package let title: String?
  /// The components that can be added, such as `VEVENT`; nil for all, and empty if the user may only
  /// read the calendar.
  package let components: Set<String>?
  /// The name that no other calendar has, on a side where the title is the name; nil elsewhere.
  package let distinctID: CollectionID?

  /// Creates a calendar of a list.
  package init(
    _ id: CollectionID, at place: String, title: String? = nil, components: Set<String>? = nil,
    distinctID: CollectionID? = nil
  ) {
    self.id = id
    self.place = place
    self.title = title
    self.components = components
    self.distinctID = distinctID
  }

  /// The calendar with another name within the account.
  func named(_ id: CollectionID) -> AccountCollection {
    AccountCollection(
      id, at: place, title: title, components: components, distinctID: distinctID)
  }
}

/// The calendars of an account that a sync is for.
package enum CollectionSelection: Hashable, Sendable {
  /// All calendars of both sides.
  case all
  /// The calendars with these names, whether or not they exist.
  case named(Set<CollectionID>)
  /// The calendars here.
  case fromHere
  /// The calendars on the server.
  case fromThere

  /// Whether a calendar is selected that exists on some sides.
  package func contains(_ id: CollectionID, isHere: Bool, isThere: Bool) -> Bool {
    switch self {
    case .all: true
    case .named(let names): names.contains(id)
    case .fromHere: isHere
    case .fromThere: isThere
    }
  }
}

/// A calendar of an account that was on both sides, and its places.
package struct KnownCollection: Hashable, Sendable {
  /// The name within the account.
  package let id: CollectionID
  /// The name of the folder here.
  package let folder: String
  /// The address of the calendar on the server.
  package let location: String
  /// The components that can be added, such as `VEVENT`; nil for all, and empty if the user may only
  /// read the calendar.
  package let components: Set<String>?
  /// Whether the last run missed it on one side.
  package var isGone: Bool

  /// Creates the record of a calendar.
  package init(
    _ id: CollectionID, folder: String, location: String, components: Set<String>? = nil,
    isGone: Bool = false
  ) {
    self.id = id
    self.folder = folder
    self.location = location
    self.components = components
    self.isGone = isGone
  }
}

/// The sync of a whole account as the ledger knows it.
///
/// Records of calendars are only used with the binding under which they were stored.
package struct AccountBinding: Hashable, Sendable {
  /// The name of the sync.
  package let name: String
  /// The path of the folder of folders.
  package let local: String
  /// The account on the server.
  package let remote: RemoteIdentity

  /// Creates a binding.
  package init(name: String, local: String, remote: RemoteIdentity) {
    self.name = name
    self.local = local
    self.remote = remote
  }

  /// The name of the sync of one calendar of the account.
  package func sync(of folder: String) -> String { "\(name)/\(folder)" }
}

/// The stored calendars of accounts.
package protocol AccountLedger: Sendable {
  /// The calendars that were on both sides; none if the stored binding is not exactly this one.
  func collections(of account: AccountBinding) async throws -> [KnownCollection]

  /// Stores a calendar, and drops those of another binding of the same name.
  ///
  /// - Parameters:
  ///   - collection: The calendar.
  ///   - account: The account.
  ///   - isNew: Whether its sync starts over. A calendar that was gone may have come back empty,
  ///     and its items must not count as deleted.
  /// - Throws: An error of the ledger.
  func store(
    _ collection: KnownCollection, of account: AccountBinding, startingOver isNew: Bool
  ) async throws

  /// Drops a calendar, so that the next run takes it for a new one.
  func forget(_ id: CollectionID, of account: AccountBinding) async throws
}
