// SPDX-License-Identifier: Apache-2.0

package import Epact

/// The calendars of accounts, here and there.
package struct AccountReport: Report {
  private let listings: [AccountCalendars.Listing]
  private let remedies: any Remedies

  /// Takes the listings of accounts.
  package init(_ listings: [AccountCalendars.Listing], _ remedies: any Remedies) {
    (self.listings, self.remedies) = (listings, remedies)
  }

  package var status: ExitStatus {
    .worst(of: listings.compactMap(\.error).map { ExitStatus(SyncOutcome($0.code)) })
  }

  package var json: JSONValue { ["accounts": .array(listings.map(\.json))] }

  package var messages: [Message] {
    let rows = listings.flatMap { $0.entries ?? [] }.map { entry -> [String] in
      // A server without a title for a calendar repeats its name.
      let title = entry.name.hasSuffix("/\(entry.title ?? "")") ? "" : entry.title ?? ""
      return [
        entry.name, title, entry.isHere ? "here" : "-", entry.isThere ? "there" : "-", entry.words,
      ]
    }
    return ColumnTable(rows).lines.map { .say($0) }
      + listings.filter { $0.entries?.isEmpty == true }.map {
        .say("\($0.sync, .bold): there is no calendar on either side.")
      } + listings.flatMap(subscriptions) + failures
  }

  /// The accounts that could not be listed.
  package var failures: [Message] {
    listings.compactMap { listing in
      listing.error.map { .complain(remedies.failure($0).prefixed(listing.sync)) }
    }
  }

  private func subscriptions(of listing: AccountCalendars.Listing) -> [Message] {
    listing.subscriptions.map { subscription in
      let feed = subscription.feed.map { " to \($0)" } ?? ""
      let hint: ConsoleText =
        subscription.feed.map { " To read it here: \(remedies.subscribe($0))" } ?? ""
      return .note(
        "\(listing.sync): \(subscription.title) is a subscription\(feed), which a sync leaves out."
          + hint)
    }
  }
}

extension AccountCalendars.Entry {
  /// The state, and what prevents the sync.
  fileprivate var words: String {
    let failure = state == .synced ? complaint.map { ", but the last sync failed: \($0)" } : nil
    return state.words + (isReadOnly ? ", read-only" : "") + (failure ?? "")
  }
}

extension AccountCalendars.State {
  fileprivate var words: String {
    switch self {
    case .synced: "synced"
    case .new: "new on both sides"
    case .createHere: "the next sync creates it here"
    case .createThere: "the next sync creates it there"
    case .goneHere: "gone here, nothing is deleted there"
    case .goneThere: "gone there, nothing is deleted here"
    case .gone: "gone on both sides"
    case .notSelected: "not selected"
    case .ambiguous: "several calendars have this name"
    case .missing: "selected, but on neither side"
    case .unlisted: "not listed by the server because of an error"
    }
  }
}
