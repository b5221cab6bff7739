// SPDX-License-Identifier: Apache-2.0

public import CalendarModel

/// The reason why an item is not synchronized, or why a change of it failed.
///
/// The ledger stores the obstacles of items that it holds back.
public indirect enum ItemObstacle: Hashable, Sendable, Codable {
  // MARK: Answers of a side

  /// The error or the refusal of a side, in its words.
  case reported(String)
  /// The refusal of an addition, and that of moving the item from its previous calendar.
  case refusedMove(String, addition: String)
  /// The place of a new event is taken on a remote that may not be read.
  ///
  /// The place may hold the same event or another one. A copy with another UID has another place.
  case placeTaken
  /// The remote returns no ETag for the item, so that it cannot be changed safely.
  case noTag

  /// The remote cannot hold the item.
  case notHeld(HoldingRefusal)

  // MARK: What cannot be read

  /// Places that may hold the item cannot be read; empty if the place is not known.
  case unreadable([UnreadablePlace])
  /// A local file is not one readable item, for this reason.
  case localFile(String)
  /// A resource of the remote is not one readable item, for this reason.
  case remoteItem(String)
  /// The remote lists the item and does not return it.
  case notDelivered
  /// The same version as in the last run is not returned; it is reported once more.
  case stillNotDelivered
  /// The remote holds the UID twice, and the resource with this href is synchronized.
  case double(UID, chosen: String)

  // MARK: Files beside the item's file

  /// The item was deleted on this side, and a resource of the other side holds its UID, too.
  case deletedBesideDouble(MergeSide, name: String)
  /// The item was deleted on this side, and a file with an older text took its place on the other.
  case deletedBesideOlderFile(MergeSide, FileTakeover)

  // MARK: Access

  /// The item is no event, so that only full access can add it.
  case notAnEvent(isReminder: Bool)
  /// The event was added under write-only access and changed here since.
  case changedAfterAddition
  /// The event was added under write-only access and deleted here since.
  case deletedAfterAddition
  /// The addition of the event was interrupted, and it was deleted here since.
  case deletedAfterInterruption

  // MARK: Rules of a run

  /// The item failed several times, the last time for this reason, and its next attempt is not due.
  case heldBack(failures: Int, ItemObstacle)
  /// The item was moved to another calendar, whose remote does not hold it yet.
  case awaitsArrival
  /// The addition of the item by another sync was interrupted; that sync goes first.
  case awaitsOtherSync
  /// The item was deleted on this side, and is outside of the filter on the other.
  case outsideFilter(deletedOn: MergeSide)
  /// Only this side holds the item, and a one-way sync does not copy items of the side.
  case onlyOn(MergeSide)
  /// A one-way sync did not write the item on this side.
  case notOwn(MergeSide)
  /// The item was edited or deleted here, and does not follow the remote any more.
  case released
  /// This side does not hold the agreed version of the item any more.
  case agreedVersionLost(MergeSide)

  // MARK: Undo

  /// A change of a run is not undone.
  case notUndone(UndoObstacle)
}

/// A place that cannot be read, and that may hold an item.
public struct UnreadablePlace: Hashable, Sendable, Codable {
  /// The side.
  public let side: MergeSide
  /// The file name or the href.
  public let name: String
  /// Whether it is only possible that the place holds the item.
  public let isGuess: Bool

  /// Creates a place.
  public init(side: MergeSide, name: String, isGuess: Bool = false) {
    self.side = side
    self.name = name
    self.isGuess = isGuess
  }
}

/// A file with an older text in the place of an item's file.
public struct FileTakeover: Hashable, Sendable, Codable {
  /// The name of the item's file, which is gone.
  public let known: String
  /// The name of the file in its place.
  public let name: String

  /// Creates a takeover.
  public init(known: String, name: String) {
    self.known = known
    self.name = name
  }
}

/// The reason why a change of a run is not undone.
public enum UndoObstacle: Hashable, Sendable, Codable {
  /// One side cannot be read.
  case unreadableSide
  /// A version from the time of the run cannot be read.
  case unreadableVersion
  /// The item or the property changed since.
  case changedSince
  /// Another part of the same change was changed since.
  case otherPartChanged
  /// The item is in several files of its folder, so that it is not known which one the run changed.
  case severalFiles
  /// The other side does not hold the item any more, so that the undo would delete its last copy.
  case lastCopy
  /// The remote returns no ETag for the item.
  case noTag
  /// The conflict of the item waits for a choice.
  case awaitsChoice
  /// A later sync sent the chosen version; the run of that sync can be undone.
  case sentLater
  /// The item was moved on the server.
  case movedOnServer
  /// The event was added under write-only access.
  case appended
  /// The version from before the run is not known.
  case unknownBefore
  /// The calendar is not at this path any more.
  case noCalendar(String)
  /// The calendar can only be read.
  case readOnly
}

extension ItemObstacle: CustomStringConvertible {
  /// The code and the values, for logs.
  public var description: String {
    String(code: code, values)
  }

  /// The obstacle itself, or that of the last attempt of an item that is held back.
  public var cause: ItemObstacle {
    if case .heldBack(_, let cause) = self { cause } else { self }
  }

  /// The name of the obstacle, stable for programs: `no-etag`, `held-back`.
  public var code: String {
    switch self {
    case .reported: "reported"
    case .refusedMove: "refused-move"
    case .placeTaken: "place-taken"
    case .noTag: "no-etag"
    case .notHeld(let refusal): "not-held-\(refusal.code)"
    case .unreadable: "unreadable"
    case .localFile: "local-file"
    case .remoteItem: "remote-item"
    case .notDelivered: "not-delivered"
    case .stillNotDelivered: "still-not-delivered"
    case .double: "double"
    case .deletedBesideDouble(let side, _): "deleted-\(side.rawValue)-beside-double"
    case .deletedBesideOlderFile(let side, _): "deleted-\(side.rawValue)-beside-older-file"
    case .notAnEvent: "not-an-event"
    case .changedAfterAddition: "changed-after-addition"
    case .deletedAfterAddition: "deleted-after-addition"
    case .deletedAfterInterruption: "deleted-after-interruption"
    case .heldBack: "held-back"
    case .awaitsArrival: "awaits-arrival"
    case .awaitsOtherSync: "awaits-other-sync"
    case .outsideFilter(let side): "deleted-\(side.rawValue)-outside-filter"
    case .onlyOn(let side): "only-\(side.rawValue)"
    case .notOwn(let side): "not-own-\(side.rawValue)"
    case .released: "released"
    case .agreedVersionLost(let side): "agreed-version-lost-\(side.rawValue)"
    case .notUndone(let obstacle): obstacle.code
    }
  }

  /// The values for logs.
  var values: [String] {
    switch self {
    case .reported(let text), .localFile(let text), .remoteItem(let text): [text]
    case .refusedMove(let move, let addition): [addition, move]
    case .notHeld(let refusal): refusal.values
    case .unreadable(let places): places.map { "\($0.side.rawValue) \($0.name)" }
    case .double(let uid, let chosen): [uid.rawValue, chosen]
    case .deletedBesideDouble(_, let name): [name]
    case .deletedBesideOlderFile(_, let takeover): [takeover.known, takeover.name]
    case .notAnEvent(let isReminder): isReminder ? ["reminder"] : []
    case .heldBack(let failures, let cause): ["\(failures)", cause.description]
    case .notUndone(.noCalendar(let path)): [path]
    default: []
    }
  }
}

extension String {
  /// A code with its values, for logs: `held-back (2; no-etag)`.
  init(code: String, _ values: [String]) {
    self = values.isEmpty ? code : "\(code) (\(values.joined(separator: "; ")))"
  }
}

extension UndoObstacle {
  fileprivate var code: String {
    switch self {
    case .unreadableSide: "undo-unreadable-side"
    case .unreadableVersion: "undo-unreadable-version"
    case .changedSince: "undo-changed-since"
    case .otherPartChanged: "undo-other-part-changed"
    case .severalFiles: "undo-several-files"
    case .lastCopy: "undo-last-copy"
    case .noTag: "undo-no-etag"
    case .awaitsChoice: "undo-awaits-choice"
    case .sentLater: "undo-sent-later"
    case .movedOnServer: "undo-moved-on-server"
    case .appended: "undo-appended"
    case .unknownBefore: "undo-unknown-before"
    case .noCalendar: "undo-no-calendar"
    case .readOnly: "undo-read-only"
    }
  }
}
