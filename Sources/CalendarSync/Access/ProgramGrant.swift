// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// The kind of items that a program asks for, as EventKit's entity types.
public enum ProgramEntity: String, Hashable, Sendable, CaseIterable {
  /// Events; a program may have write-only access to them.
  case events
  /// Reminders; a program has full access to them or none.
  case reminders

  /// The tiers above `none` that can be granted.
  public var tiers: [AccessTier] { self == .events ? [.writeOnly, .full] : [.full] }
}

/// The user's decision about the access of a program to the local calendars.
public struct ProgramGrant: Hashable, Sendable {
  /// The identifier of the program: the bundle identifier, or the path of the executable.
  public let program: String
  /// The name of the program, which was displayed for the decision.
  public let name: String
  /// The kind of items.
  public let entity: ProgramEntity
  /// The granted tier; `none` if the user denied access.
  public let tier: AccessTier
  /// The purpose that was displayed for the decision, in the words of the program.
  public let purpose: String
  /// The time of the decision.
  public let grantedAt: Instant
  /// The name of the user's account on this machine.
  public let grantedBy: String
  /// The name of the calendar that the user chose for write-only access; nil for the default one.
  public let calendar: String?
  /// Whether the user refused a raise to full access, so that it is not asked for again.
  public var refusesMore: Bool

  /// Creates a grant.
  public init(
    program: String, name: String, entity: ProgramEntity, tier: AccessTier, purpose: String,
    grantedAt: Instant, grantedBy: String, calendar: String? = nil, refusesMore: Bool = false
  ) {
    self.program = program
    self.name = name
    self.entity = entity
    self.tier = tier
    self.purpose = purpose
    self.grantedAt = grantedAt
    self.grantedBy = grantedBy
    self.calendar = calendar
    self.refusesMore = refusesMore
  }
}

/// The state of the access of a program, in the terms of Apple's EventKit.
public typealias ProgramStatus = AccessStatus

extension AccessStatus {
  /// Creates the status of a program's stored grant under a restriction.
  ///
  /// A restriction to write-only access leaves nothing of the access to reminders.
  public init(
    _ grant: ProgramGrant?, for entity: ProgramEntity, under restriction: AccessRestriction? = nil
  ) {
    let limit = entity.tiers.last { $0 <= restriction?.tier ?? .full }
    guard let limit else {
      self = .restricted
      return
    }
    switch grant.map({ min($0.tier, limit) }) {
    case nil: self = .notDetermined
    case AccessTier.none?: self = .denied
    case .writeOnly?: self = entity == .events ? .writeOnly : .denied
    case .full?: self = .full
    }
  }
}

/// A class of use of the local calendars by a program.
///
/// It contains no item, so that a log of classes reveals no contents of a calendar.
public enum ProgramUse: String, Hashable, Sendable, CaseIterable {
  /// Lists the calendars and their sources.
  case listCalendars = "list calendars"
  /// Reads or searches items.
  case readItems = "read items"
  /// Adds an item.
  case addItem = "add item"
  /// Changes an item.
  case changeItem = "change item"
  /// Deletes an item.
  case deleteItem = "delete item"
  /// Adds, changes or deletes a calendar.
  case changeCalendar = "change calendar"

  /// The effect of the use.
  public var effect: AccessRequest.Effect {
    switch self {
    case .listCalendars, .readItems: .read
    case .addItem: .add
    case .changeItem, .deleteItem, .changeCalendar: .change
    }
  }
}

/// The uses of one class that a program made under one grant.
public struct ProgramLogEntry: Hashable, Sendable {
  /// The identifier of the program.
  public let program: String
  /// The kind of items.
  public let entity: ProgramEntity
  /// The tier at the time of the uses.
  public let tier: AccessTier
  /// The time of the grant.
  public let grantedAt: Instant
  /// The class of the uses.
  public let use: ProgramUse
  /// The number of uses.
  public var count: Int
  /// The time of the first use.
  public let firstAt: Instant
  /// The time of the last use.
  public var lastAt: Instant

  /// Creates an entry for uses under a grant, all at one time.
  public init(
    _ use: ProgramUse, under grant: ProgramGrant, tier: AccessTier, count: Int, at time: Instant
  ) {
    self.init(
      program: grant.program, entity: grant.entity, tier: tier, grantedAt: grant.grantedAt,
      use: use, count: count, firstAt: time, lastAt: time)
  }

  /// Creates an entry.
  public init(
    program: String, entity: ProgramEntity, tier: AccessTier, grantedAt: Instant, use: ProgramUse,
    count: Int, firstAt: Instant, lastAt: Instant
  ) {
    self.program = program
    self.entity = entity
    self.tier = tier
    self.grantedAt = grantedAt
    self.use = use
    self.count = count
    self.firstAt = firstAt
    self.lastAt = lastAt
  }
}
