// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// The operations of a one-way sync. They never write the source, and never end in a conflict.
extension ItemDecision {
  /// The operation by the rules of a one-way sync, or nil if there is nothing to do and nothing to
  /// record.
  func operation(_ rules: OneWay) -> PlannedOperation? {
    switch decision(rules) {
    case .nothing: unchanged
    case .agree: agreed.map { plan(.record($0), .alike).alreadyThere }
    case .add: write(rules, .added(rules.source))
    case .update: write(rules, .changed(rules.source))
    case .overruleEdit: write(rules, .overruledEdit(rules.target))?.decidedByPolicy
    case .overruleDeletion: write(rules, .overruledDeletion(rules.target))?.overridingDeletion
    case .delete: delete(rules, .deleted(rules.source))
    case .deleteEdit: delete(rules, .deletedOverEdit(rules.target))?.decidedByPolicy
    case .forget: plan(.forget, .deletedOnBothSides)
    // The user's own items beside copies are no news.
    case .keep(.onlyOn) where rules.keepsForeign && !isOutdated && conflict == nil: nil
    case .keep(let obstacle): keep(obstacle)
    case .release(let obstacle): plan(.forget, .obstacle(obstacle))
    case .leave: leftAlone
    }
  }

  private func decision(_ rules: OneWay) -> OneWayDecision {
    let hasOwnUID = rules.owns(uid)
    let isForeign = rules.keepsForeign && entry == nil && !isTraced && !hasOwnUID
    guard !isForeign, let states else {
      if isUnknown { return .leave }
      let (isSource, isTarget) = rules.pair(local != nil, remote != nil)
      return OneWayDecision(
        isSource: isSource, isTarget: isTarget, areEqual: areEqual, isOwn: hasOwnUID, rules)
    }
    let (source, target) = rules.pair(states.local, states.remote)
    // An agreed item here is one of the remote's. After an interrupted addition or deletion, an item there may
    // be another one with its UID, unless it is exactly what was sent, or what was to be deleted.
    let isAgreed =
      entry?.isOwn == true
      && facts.intents.allSatisfy { $0.action != .deleteRemote || $0.etag == remote?.entry.etag }
    let isSent = target == .unchanged && (base?.isOwn == true || entry?.isOwn == true)
    let isOwn = rules.target == .local || isAgreed || isSent
    return OneWayDecision(source: source, target: target, areEqual: areEqual, isOwn: isOwn, rules)
  }

  /// The operation that gives the target the version of the source.
  private func write(_ rules: OneWay, _ reason: PlanReason) -> PlannedOperation? {
    guard rules.target == .local else { return uploaded(reason, over: remote?.item) }
    guard let item = remote?.item ?? base?.remoteItem else { return leftAlone }
    return downloaded(item, keeping: base?.localItem ?? item, reason)
  }

  /// The operation that deletes the item of the target.
  private func delete(_ rules: OneWay, _ reason: PlanReason) -> PlannedOperation? {
    rules.target == .local ? deleteLocal(reason) : deleteRemote(reason, replacing: remote?.item)
  }

  /// The operation that leaves the item of the target unchanged.
  ///
  /// Intents of interrupted runs and stored conflicts are cleared.
  private func keep(_ obstacle: ItemObstacle) -> PlannedOperation {
    guard isOutdated || conflict != nil else {
      return PlannedOperation(skipping: uid, title: title, because: obstacle)
    }
    let action = keptEntry.map { PlannedOperation.Action.record($0) } ?? .forget
    return plan(action, .obstacle(obstacle))
  }

  /// The entry of the last agreed versions, for an item whose sides differ from them.
  ///
  /// If they come from the intent of an interrupted run, the ETag is unknown, so that the next run fetches
  /// the item.
  private var keptEntry: LedgerEntry? {
    guard isTraced, let base, let name = local?.name ?? entry?.localName,
      let href = remote?.entry.href ?? entry?.href
    else { return entry }
    return LedgerEntry(
      uid: uid, localName: name, localBase: base.local, href: href, etag: nil,
      remoteBase: base.remote, base: base.content, remoteContent: base.remoteContent,
      isOwn: base.isOwn)
  }
}

extension OneWay {
  /// The values of the source and of the target.
  fileprivate func pair<Value>(_ local: Value, _ remote: Value) -> (source: Value, target: Value) {
    source == .local ? (local, remote) : (remote, local)
  }
}
