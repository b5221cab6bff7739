// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
package import CalendarSync

/// The contents of a feed when it was read for the first time.
package struct FeedContents: Hashable, Sendable {
  /// The name that the feed states; nil if it states none.
  package let name: String?
  /// The number of items.
  package let itemCount: Int
  /// The number of items and parts that cannot be read.
  package let unreadableCount: Int
}

/// A feed to add to the configuration: a calendar that is published at an address.
///
/// ```swift
/// let feed = try Subscription(to: "webcal://example.org/ferien.ics", purpose: purpose)
/// let plan = try await feed.plan(
///   addingTo: ConfigurationFile(machine: machine), folder: "/home/ada/calendars",
///   machine: machine, asking: prompt)
/// ```
///
/// A feed is read, which takes full access: the lowest tier that reads. The user is asked before the
/// feed is read, unless the access was granted before.
package struct Subscription: Sendable {
  /// The purpose that is stated if the user gives none.
  package static let usualPurpose =
    "Copies the published events, so that they are shown beside the events of this user."

  private let address: String
  private let url: RemoteURL
  private let name: String?
  private let purpose: Purpose
  private let isConfirmed: Bool

  /// Describes a feed; sends no request.
  ///
  /// - Parameters:
  ///   - address: The address: `webcal`, `webcals`, `https` or `http`.
  ///   - name: The name of the calendar; nil for that of the feed.
  ///   - purpose: The purpose of the access.
  ///   - isConfirmed: Whether the user granted the access already.
  /// - Throws: `RemoteError` if the address is invalid.
  package init(
    to address: String, name: String? = nil, purpose: Purpose, isConfirmed: Bool = false
  ) throws {
    self.address = address
    url = try RemoteURL(parsingFeed: address)
    (self.name, self.purpose, self.isConfirmed) = (name, purpose, isConfirmed)
  }

  /// Asks for the access, and reads the feed; writes nothing.
  ///
  /// - Parameters:
  ///   - file: The location of the configuration.
  ///   - folder: The absolute path of the folder for local calendars.
  ///   - machine: The machine with the ledger and the network.
  ///   - prompt: Asks the user for the access.
  /// - Returns: The plan with one entry, which has the contents of the feed.
  /// - Throws: `EpactError` without access; `RemoteError` if the server returns no calendar;
  ///   `ConfigurationError`.
  package func plan(
    addingTo file: ConfigurationFile, folder: String, machine: Machine,
    asking prompt: any AccessPrompt
  ) async throws -> SetupPlan {
    try await obtainAccess(machine, prompt)
    let answers = SubscriptionAnswers(address: address, name: name, purpose: purpose)
    var plan = try await SetupPlanner(
      asking: answers, addingTo: file, folder: folder, identity: NetworkIdentity(),
      machine: machine
    ).plan()
    plan.isConfirmed = true
    return plan
  }

  /// Asks for full access, unless it was granted before.
  private func obtainAccess(_ machine: Machine, _ prompt: any AccessPrompt) async throws {
    let name = self.name ?? url.host
    var configuration = Configuration()
    configuration.remotes[name] = RemoteSettings(
      name: name, kind: .webcal(WebcalSettings(address: url, server: ServerSettings())))
    configuration.syncs = [
      SyncSettings(name: name, calendar: name, remote: name, maxDelete: nil, purpose: purpose)
    ]
    var access = try await RemoteAccess(
      to: name, in: configuration, machine: machine, isDryRun: true)
    try access.expectGrantable(.full)
    let earlier = access.grant
    guard earlier?.tier != .full, !isConfirmed else { return }
    guard prompt.canAsk else {
      throw EpactError(
        .noAccess,
        "no access to \"\(name)\" was granted, and there is no terminal to ask on",
        subject: name, remedy: .grantWithoutQuestion)
    }
    if let earlier {
      try await access.confirm(raising: earlier, to: .full, purpose: purpose, prompt)
    } else {
      try await access.ask(prompt)
      guard access.grant?.tier == .full else {
        throw EpactError(
          .noAccess, "no access to \"\(name)\" was granted; nothing was read", subject: name)
      }
    }
  }
}

/// The answers to the questions about a new configuration for a public feed.
private struct SubscriptionAnswers: SetupPrompt {
  let address: String
  let name: String?
  let purpose: Purpose

  var canAsk: Bool { false }
  var knownUser: String? { nil }
  var knownClient: String? { nil }
  var hasPassword: Bool { false }
  var readsFeeds: Bool { true }
  var asksForPassword: Bool { false }
  var wantsAccount: Bool { false }

  func location(isRetry: Bool) -> SetupLocation { .feed(address) }
  func tier() -> AccessTier { .full }
  func purpose(of access: AccessTier) -> Purpose { purpose }
  func userName(suggested: String?) throws -> String { throw noQuestion }
  func client(for server: String) throws -> String { throw noQuestion }
  func client(of vendor: VendorSettings.Vendor) throws -> String { throw noQuestion }
  func introduce(service: String, _ words: String) {}
  func password(
    for user: String, keepingIn stores: PasswordStores
  ) throws -> SetupPlan.Password { throw noQuestion }
  func newPassword(for user: String) throws -> Secret { throw noQuestion }
  func agree(to address: String) throws -> Bool { throw noQuestion }
  func choose(
    from calendars: [CalendarSearch.Found], isAccount: Bool
  ) throws -> SetupChoice { throw noQuestion }
  func show(_ error: any Error) {}

  /// A public feed has no user, no password and no other calendars.
  private var noQuestion: EpactError {
    EpactError(.argument, "\(SetupAccount(text: address).host) is no public feed")
  }
}
