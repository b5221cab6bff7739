// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

/// Finds out which write of an interrupted run got through, where one side holds another version by now.
///
/// A write can be done although its answer is lost, and what it wrote may be edited before the next run.
/// That version descends from what was written, and is to be merged against it: against anything older,
/// the edit of one side would look like an edit of both.
struct IntentTrace {
  private let intents: [Intent]
  /// What the side held before any of the writes; nil if it was without the item.
  private let before: CalendarItem?
  private let form: NormalForm

  /// Creates a trace of the writes to one side, in their order.
  init(_ intents: [Intent], before: CalendarItem?, _ form: NormalForm) {
    self.intents = intents
    self.before = before
    self.form = form
  }

  /// The write that the remote version descends from; nil if none is known to have got through.
  func remote(_ item: CalendarItem, _ entry: RemoteEntry) -> Intent? {
    // What is as it was before all of it was not written since.
    guard item.fingerprint != before?.fingerprint else { return nil }
    let written = versions([.createRemote, .updateRemote, .append])
    for (place, version) in written.enumerated().reversed()
    where version.intent.action == .updateRemote {
      // Under the tag that the write was conditional on there is what was there before.
      if let tag = version.intent.etag, tag == entry.etag { continue }
      let older = place > 0 ? written[place - 1].item : before
      if let older, carries(item, version.item, over: older) { return version.intent }
    }
    return created(written, item, at: entry.href)
  }

  /// The write that the local version descends from; nil if none is known to have got through.
  func local(_ item: CalendarItem) -> Intent? {
    guard item.fingerprint != before?.fingerprint else { return nil }
    let written = versions([.updateLocal])
    for (place, version) in written.enumerated().reversed() {
      let older = place > 0 ? written[place - 1].item : before
      if let older, carries(item, version.item, over: older) { return version.intent }
    }
    return nil
  }

  private func versions(_ actions: Set<Intent.Action>) -> [(intent: Intent, item: CalendarItem)] {
    intents.compactMap { intent in
      guard actions.contains(intent.action), let content = intent.content,
        let item = try? CalendarItem(parsing: content, normalForm: form)
      else { return nil }
      return (intent, item)
    }
  }

  /// The addition that got through: the place is made of the UID, and was free.
  ///
  /// Of several only one can have got through, which is the one that differs least.
  private func created(
    _ written: [(intent: Intent, item: CalendarItem)], _ item: CalendarItem, at href: Href
  ) -> Intent? {
    let additions = written.filter {
      [.createRemote, .append].contains($0.intent.action) && $0.item.kind == item.kind
    }
    guard !additions.isEmpty, href.isDerived(from: item.uid) else { return nil }
    guard additions.count > 1 else { return additions.first?.intent }
    return additions.map { (intent: $0.intent, distance: changes(item, $0.item).count) }
      .min { $0.distance < $1.distance }?.intent
  }

  /// Whether a version has what a write changed, as far as it was not changed again.
  private func carries(
    _ item: CalendarItem, _ written: CalendarItem, over older: CalendarItem
  ) -> Bool {
    let own = changes(written, older)
    let echo = ItemEcho(of: written, as: item, [.isSent, .isUnseen, .isUntagged]).base ?? written
    let since = changes(item, echo)
    let all = changes(item, older)
    // What is as it was before the write tells that the write was not done.
    return own.isSubset(of: all) && !own.isSubset(of: since)
  }

  /// What two versions say differently, by component and property, without stamps of the writing.
  private func changes(_ one: CalendarItem, _ other: CalendarItem) -> Set<[String]> {
    let rows = ItemComparison([one, other], normalForm: form).rows
    return Set(
      rows.filter { MergeBookkeeping.rule(for: PropertyName($0.subject)) == nil }
        .map { [$0.component, $0.subject] })
  }
}

extension Href {
  /// Whether the last segment is the name that an item with a UID is added under.
  fileprivate func isDerived(from uid: UID) -> Bool {
    let name = Array(ItemName(of: uid).rawValue.utf8)
    let key = comparisonKey
    guard key.count > name.count else { return key == name }
    return key.suffix(name.count).elementsEqual(name)
      && key[key.count - name.count - 1] == UInt8(ascii: "/")
  }
}

extension Intent {
  /// Whether another intent is to write the same under the same condition.
  func isSameWrite(as other: Intent) -> Bool {
    uid == other.uid && action == other.action && content == other.content
      && mergedWith == other.mergedWith && href == other.href && etag == other.etag
  }
}
