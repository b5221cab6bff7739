// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CalendarSync
import Synchronization

/// What others do with the remote, and what a test looks at; none of it is a call to the port.
extension MemoryRemote {
  /// Whether it stores what it is sent, and tells of everything that changed.
  public var isTruthful: Bool {
    quirks.isDisjoint(with: [.rewrites, .dropsUnknown, .listsLate, .noTagAfterWrite, .noTags])
  }

  /// Every call to the remote, in order.
  public var log: [String] { state.withLock { $0.log } }

  /// The calls that change something.
  public var writes: [String] {
    log.filter { call in
      ["create ", "update ", "delete ", "append ", "move "].contains { call.hasPrefix($0) }
    }
  }

  /// Forgets the calls so far.
  public func clearLog() {
    state.withLock { $0.log = [] }
  }

  /// Writes an item, in place of the one with the same UID if there is one, or at a place.
  public func write(_ item: CalendarItem, at place: String? = nil) {
    state.withLock { state in
      let known = state.resources.first { $0.value.item?.uid == item.uid }?.key
      let own = state.hasForeignPlaces ? foreignHref(of: item.uid) : href(of: item.uid)
      let href = place.map { Href($0) } ?? known ?? own
      state.resources[href] = Resource(
        bytes: item.serialized(), item: item, tag: state.makeTag())
    }
  }

  /// Edits the fields of an item, as the remote's own program does; the stash stays.
  public func editFields(of uid: String, to item: CalendarItem) {
    guard let fields, let old = items[uid] else { return write(item) }
    write(fields.edited(old, to: item))
  }

  /// Writes an item at a place, with a tag.
  public func write(_ item: CalendarItem, at place: String, tag: EntityTag) {
    state.withLock {
      $0.resources[Href(place)] = Resource(bytes: item.serialized(), item: item, tag: tag)
    }
  }

  /// Writes an item right after the next write of the same UID, before anything else is answered.
  public func writeAfterNextWrite(_ item: CalendarItem) {
    state.withLock { $0.interlopers[item.uid] = item }
  }

  /// Replaces an item and leaves its tag as it was, as some servers do where only an alarm changed.
  public func replaceSilently(_ uid: String, by item: CalendarItem) {
    state.withLock { state in
      for (href, resource) in state.resources where resource.item?.uid.rawValue == uid {
        state.resources[href] = Resource(
          bytes: item.serialized(), item: item, tag: resource.tag)
      }
    }
  }

  /// Puts bytes at a place as they are, with a tag if one is given.
  public func write(_ bytes: [UInt8], at place: String, tag: EntityTag? = nil) {
    state.withLock { state in
      let tag = tag ?? state.makeTag()
      do throws(ItemError) {
        let item = try CalendarItem(parsing: bytes)
        state.resources[Href(place)] = Resource(bytes: bytes, item: item, tag: tag)
      } catch {
        state.resources[Href(place)] = Resource(
          bytes: bytes, item: nil, tag: tag, problem: error.message)
      }
    }
  }

  /// Deletes the item with a UID, wherever it is.
  public func remove(_ uid: String) {
    state.withLock { state in
      for (href, resource) in state.resources where resource.item?.uid.rawValue == uid {
        state.resources[href] = nil
      }
    }
  }

  /// Moves the item with a UID to another place, as some clients do.
  public func move(_ uid: String, to place: String) {
    state.withLock { state in
      for (href, resource) in state.resources
      where resource.item?.uid.rawValue == uid && href != Href(place) {
        state.resources[href] = nil
        state.resources[Href(place)] = Resource(
          bytes: resource.bytes, item: resource.item, tag: state.makeTag())
      }
    }
  }

  /// Lists what there is from now on.
  public func catchUp() {
    state.withLock { state in
      state.isLate = false
      state.lastListing = nil
    }
  }

  /// Refuses every write of a UID from now on; nil takes it again.
  public func refuse(_ uid: String, because reason: String?) {
    state.withLock { $0.refused[UID(uid)] = reason }
  }

  /// Refuses every write from now on, as in a calendar that may only be read; nil takes them again.
  public func refuseWrites(because reason: String?) {
    state.withLock { $0.refusal = reason }
  }

  /// Gives the item with a UID no more because it is over a limit of size; nil lifts the limit for all.
  public func outgrow(_ uid: String?) {
    state.withLock { state in
      if let uid { state.tooLarge.insert(UID(uid)) } else { state.tooLarge = [] }
    }
  }

  /// Whether the server cuts values at commas.
  public var cutsValues: Bool { quirks.contains(.cutsValues) }

  /// Lists a place from now on without giving what is there, or gives it again.
  public func withhold(_ place: String, _ isWithheld: Bool = true) {
    state.withLock { state in
      if isWithheld {
        state.missing.insert(Href(place))
      } else {
        state.missing.remove(Href(place))
      }
    }
  }

  /// Lists a place from now on, and leaves it out of the answer to a fetch.
  public func leaveOut(_ place: String) {
    state.withLock { _ = $0.leftOut.insert(Href(place)) }
  }

  /// Lists a place no more from now on, and gives what is there all the same, as servers do that show a
  /// part of a calendar.
  public func hide(_ place: String) {
    state.withLock { _ = $0.hidden.insert(Href(place)) }
  }

  /// Lets every listing fail from now on.
  public func failListings() {
    state.withLock { $0.isUnlistable = true }
  }

  /// Every item by UID; a UID that is there twice ends the test.
  public var items: [String: CalendarItem] {
    state.withLock { state in
      Dictionary(
        state.resources.values.compactMap(\.item).map { ($0.uid.rawValue, $0) }
      ) { first, _ in first }
    }
  }

  /// The UIDs that it holds at several places.
  public var doubles: [String] {
    let uids = state.withLock { $0.resources.values.compactMap { $0.item?.uid.rawValue } }
    return Dictionary(grouping: uids) { $0 }.filter { $0.value.count > 1 }.keys.sorted()
  }

  /// The places and bytes of everything.
  public var contents: [String: [UInt8]] {
    state.withLock { state in
      Dictionary(
        uniqueKeysWithValues: state.resources.map { ($0.key.rawValue, $0.value.bytes) })
    }
  }
}
