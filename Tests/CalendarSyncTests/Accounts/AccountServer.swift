// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import TestSupport

/// What the server of a history does besides storing calendars, and what happened because of it.
///
/// A server that does nothing of it leaves the rest of a history as it is without it: the choices are
/// made by a generator of their own.
struct AccountServer {
  /// What a server does.
  enum Habit: CaseIterable {
    /// An administrator forbids calendars and whole collections of calendars, and allows them again.
    case forbids
    /// Calendars may only be read for some time.
    case protects
    /// New calendars of programs come to other places than those of their names.
    case choosesPlaces
    /// Calendars get other places.
    case relocates
  }

  /// What has to happen in some histories.
  enum Event: CaseIterable {
    /// A run found that a known calendar, one that was only there, or one that was on both sides and not
    /// known, was forbidden.
    case forbiddenKnown, forbiddenThere, forbiddenBoth
    /// A run found that the collection of new calendars, or the other one, was forbidden.
    case forbiddenHome, forbiddenOther
    /// A new calendar here waited, because the collection of new ones was forbidden.
    case heldBack
    /// A person edited an item here of a forbidden calendar that the ledger knew.
    case editedMeanwhile
    /// A run synced a calendar that may only be read.
    case readOnly
    /// An edit or a deletion here was refused and named.
    case refused
    /// A remote edit arrived here in a calendar that may only be read.
    case arrived
    /// A calendar with refused items became writable.
    case writableAgain
    /// A calendar was paired with a place that its name does not tell.
    case choseOtherPlace
    /// A known calendar got another place, with the same name or with another one.
    case relocated, renamed
  }

  /// The collection of calendars that new ones come to, and another one.
  static let home = "there/"
  static let other = "moved/"

  /// What it does: in every third history nothing.
  let habits: Set<Habit>
  /// What happened, and how often.
  private(set) var seen: [Event: Int] = [:]
  var random: SeededGenerator

  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed ^ 0x7365_7276_6572)
    let isPlain = Int.random(in: 0..<3, using: &random) == 0
    habits = isPlain ? [] : Set(Habit.allCases.filter { _ in Bool.random(using: &random) })
    self.random = random
  }

  mutating func note(_ event: Event) { seen[event, default: 0] += 1 }
}
