// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

/// Finds the successful write of an interrupted run if the item was edited afterwards.
///
/// A write can succeed although its response is lost, and the written item can be edited before the
/// next run. The edited version descends from the written version and must be merged with it as the
/// base. With an older base, the edit of one side would count as edits of both sides.
struct IntentTrace {
  private let intents: [Intent]
  /// The agreed version of the side before any of the writes; nil if there was none.
  private let before: CalendarItem?
  /// The agreed version of the side from which the writes came; nil if there was none.
  private let origin: CalendarItem?
  private let form: NormalForm

  /// Creates a trace of the writes to one side, in order.
  ///
  /// - Parameters:
  ///   - intents: The intents of all writes to the item.
  ///   - before: The agreed version of the side.
  ///   - origin: The agreed version of the other side, which lacks what a server has added.
  ///   - form: The normal form for comparing items.
  init(
    _ intents: [Intent], before: CalendarItem?, origin: CalendarItem?, _ form: NormalForm
  ) {
    self.intents = intents
    self.before = before
    self.origin = origin
    self.form = form
  }

  /// The write that the remote version descends from; nil if no write is known to have succeeded.
  func remote(_ item: CalendarItem, _ entry: RemoteEntry) -> Intent? {
    let written = versions([.createRemote, .updateRemote, .append])
    let before = before(written)
    // A version that equals the one before the writes was not written by them.
    guard item.fingerprint != before?.fingerprint else { return nil }
    let found = last(of: written, in: item, over: before, echo) { intent in
      // If the tag is still the one of the condition, the write did not happen.
      intent.action == .updateRemote && (intent.etag == nil || intent.etag != entry.etag)
    }
    if let found { return found }
    return created(written, item, at: entry.href)
  }

  /// The write that the local version descends from; nil if no write is known to have succeeded.
  func local(_ item: CalendarItem) -> Intent? {
    let written = versions([.updateLocal])
    let before = before(written)
    guard item.fingerprint != before?.fingerprint else { return nil }
    // Files hold what was written.
    return last(of: written, in: item, over: before, { written, _ in written }) { _ in true }
  }

  /// The last of the possible writes whose changes a version contains.
  private func last(
    of written: [(intent: Intent, item: CalendarItem)], in item: CalendarItem,
    over before: CalendarItem?, _ echo: (CalendarItem, CalendarItem) -> CalendarItem,
    where isPossible: (Intent) -> Bool
  ) -> Intent? {
    for (place, version) in written.enumerated().reversed() where isPossible(version.intent) {
      let earlier = place > 0 ? written[place - 1].item : nil
      let source = earlier ?? origin
      if let older = replaced(version.intent) ?? earlier ?? before {
        let kept = echo(version.item, item)
        if carries(item, version.item, as: kept, over: older, from: source) {
          return version.intent
        }
      }
    }
    return nil
  }

  /// The version before the first write; without an agreed one, the one that the write replaced.
  private func before(_ written: [(intent: Intent, item: CalendarItem)]) -> CalendarItem? {
    before ?? written.first.flatMap { replaced($0.intent) }
  }

  /// The version that a write was about to replace.
  ///
  /// It has the edits of the side since it last agreed, which are no changes of the write.
  private func replaced(_ intent: Intent) -> CalendarItem? {
    intent.before.flatMap { try? CalendarItem(parsing: $0, normalForm: form) }
  }

  private func versions(_ actions: Set<Intent.Action>) -> [(intent: Intent, item: CalendarItem)] {
    intents.compactMap { intent in
      guard actions.contains(intent.action), let content = intent.content,
        let item = try? CalendarItem(parsing: content, normalForm: form)
      else { return nil }
      return (intent, item)
    }
  }

  /// The addition that succeeded: its place was derived from the UID, and was free.
  ///
  /// At most one of several additions can have succeeded. The one with the fewest differences is
  /// chosen.
  private func created(
    _ written: [(intent: Intent, item: CalendarItem)], _ item: CalendarItem, at href: Href
  ) -> Intent? {
    let additions = written.filter {
      [.createRemote, .append].contains($0.intent.action) && $0.item.kind == item.kind
    }
    guard !additions.isEmpty, href.isDerived(from: item.uid) else { return nil }
    guard additions.count > 1 else { return additions.first?.intent }
    let distances = additions.map { addition in
      (intent: addition.intent, count: changes(item, echo(addition.item, as: item)).count)
    }
    // A later addition was made because the earlier ones were absent.
    return distances.reversed().min { $0.count < $1.count }?.intent
  }

  /// Whether a version contains the changes of a write, except where they were changed again.
  private func carries(
    _ item: CalendarItem, _ written: CalendarItem, as echo: CalendarItem,
    over older: CalendarItem, from source: CalendarItem?
  ) -> Bool {
    // What the server cut to its old value, or dropped, is no change there.
    let (made, present) = rows(written, older)
    var own = made.intersection(changes(echo, older))
    // What a server has added, and the other side never had, is missing from every other write too.
    if let source { own.formIntersection(changes(written, source)) }
    let since = changes(item, echo)
    let all = changes(item, older)
    guard own.isSubset(of: all) else { return false }
    // A version without any of these changes shows that the write did not happen. A missing part is
    // none: other programs drop parts, too.
    return !own.intersection(present).isSubset(of: since)
  }

  /// A written version with the alterations by the server that a returned version shows.
  private func echo(_ written: CalendarItem, as item: CalendarItem) -> CalendarItem {
    ItemEcho(of: written, as: item, [.isSent, .isUnseen, .isUntagged]).base ?? written
  }

  /// The differences of two versions, as `rows` names them.
  private func changes(_ one: CalendarItem, _ other: CalendarItem) -> Set<[String]> {
    rows(one, other).all
  }

  /// The differences of two versions by component and property, except bookkeeping properties: all
  /// of them, and those of parts that the first version has.
  private func rows(
    _ one: CalendarItem, _ other: CalendarItem
  ) -> (all: Set<[String]>, present: Set<[String]>) {
    let rows = ItemComparison([one, other], normalForm: form).rows.filter {
      MergeBookkeeping.rule(for: PropertyName($0.subject)) == nil
    }
    func names(_ rows: [ItemComparison.Row]) -> Set<[String]> {
      Set(rows.map { [$0.component, $0.subject] })
    }
    return (names(rows), names(rows.filter { $0.versions.first?.isEmpty == false }))
  }
}

extension Href {
  /// Whether the last segment is the name that `ItemName` derives from a UID.
  fileprivate func isDerived(from uid: UID) -> Bool {
    let name = Array(ItemName(of: uid).rawValue.utf8)
    let key = comparisonKey
    guard key.count > name.count else { return key == name }
    return key.suffix(name.count).elementsEqual(name)
      && key[key.count - name.count - 1] == UInt8(ascii: "/")
  }
}

extension Intent {
  /// Whether another intent writes the same content under the same condition.
  func isSameWrite(as other: Intent) -> Bool {
    uid == other.uid && action == other.action && content == other.content
      && mergedWith == other.mergedWith && href == other.href && etag == other.etag
  }
}
