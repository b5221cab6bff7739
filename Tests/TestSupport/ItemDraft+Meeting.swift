// SPDX-License-Identifier: Apache-2.0

/// Edits that meet those of somebody else, as edits at random seldom do.
extension ItemDraft {
  /// What is edited at once.
  enum Part: Hashable, Sendable {
    case text(String)
    case list(String)
    case attendee(String)
    case alarm(String)
    /// The organizer and the number of the revision.
    case organizer
    case progress
    /// The start, the end, and how they are written.
    case time
    case rule
    /// The extra date of a week.
    case extra(Int)
    /// The override of a week, or that it is excluded.
    case occurrence(Int)
  }

  /// The draft after edits of what another draft has edited, and sometimes of something else beside it.
  ///
  /// One edit in four is the same as that of the other draft.
  public func edited(
    meeting other: ItemDraft, _ random: inout SeededGenerator
  ) -> ItemDraft {
    var draft = self
    let parts = other.parts(editedSince: self).shuffled(using: &random)
    for part in parts.prefix(Int.random(in: 1...3, using: &random)) {
      if Int.random(in: 0..<4, using: &random) == 0 {
        draft.take(part, of: other)
      } else if Int.random(in: 0..<4, using: &random) == 0 {
        draft.drop(part)
      } else {
        draft.edit(part.rival(&random), &random)
      }
    }
    if parts.isEmpty || Bool.random(using: &random) { draft.edit(.random(&random), &random) }
    return draft
  }

  /// Whether the end is told by itself, and not by a duration.
  public var hasEnd: Bool { hasDuration == spelling.flipsEnds }

  /// Whether it ends when another one does.
  public func endsLike(_ other: ItemDraft) -> Bool { startsLike(other) && hours == other.hours }

  /// The number of the revision; 0 if it has none.
  public var revision: Int { sequence ?? 0 }

  /// Whether both drafts have edited something in the same way.
  public func sharesEdit(with other: ItemDraft, since base: ItemDraft) -> Bool {
    let both = Set(parts(editedSince: base)).intersection(other.parts(editedSince: base))
    return !both.subtracting(parts(editedSince: other)).isEmpty
  }

  /// What the draft says otherwise than another one.
  private func parts(editedSince base: ItemDraft) -> [Part] {
    var parts: [Part] = []
    func add<Key: Comparable & Hashable, Value: Equatable>(
      _ now: [Key: Value], _ before: [Key: Value], _ part: (Key) -> Part
    ) {
      let keys = Set(now.keys).union(before.keys).filter { now[$0] != before[$0] }
      parts += keys.sorted().map(part)
    }
    add(texts, base.texts) { .text($0) }
    add(lists, base.lists) { .list($0) }
    add(attendees, base.attendees) { .attendee($0) }
    add(alarms, base.alarms) { .alarm($0) }
    add(overrides, base.overrides) { .occurrence($0) }
    parts += excluded.symmetricDifference(base.excluded).sorted().map { .occurrence($0) }
    parts += extra.symmetricDifference(base.extra).sorted().map { .extra($0) }
    if organizer != base.organizer || sequence != base.sequence { parts.append(.organizer) }
    if progress != base.progress { parts.append(.progress) }
    if !startsLike(base) || hours != base.hours || hasDuration != base.hasDuration {
      parts.append(.time)
    }
    if count != base.count || secondCount != base.secondCount { parts.append(.rule) }
    return parts
  }

  /// Takes a part away, if it is one that can be away.
  private mutating func drop(_ part: Part) {
    switch part {
    case .text(let name): texts[name] = nil
    case .list(let name): lists[name] = nil
    case .attendee(let address): attendees[address] = nil
    case .alarm(let uid): alarms[uid] = nil
    case .organizer: organizer = nil
    case .progress: progress = nil
    case .extra(let week): extra.subtract([week])
    case .occurrence(let week): overrides[week] = nil
    case .time, .rule: break
    }
  }

  /// Says of a part what another draft says.
  private mutating func take(_ part: Part, of other: ItemDraft) {
    switch part {
    case .text(let name): texts[name] = other.texts[name]
    case .list(let name): lists[name] = other.lists[name]
    case .attendee(let address): attendees[address] = other.attendees[address]
    case .alarm(let uid): alarms[uid] = other.alarms[uid]
    case .organizer: (organizer, sequence) = (other.organizer, other.sequence)
    case .progress: progress = other.progress
    case .time:
      (style, day, hour) = (other.style, other.day, other.hour)
      (hours, hasDuration) = (other.hours, other.hasDuration)
    case .rule: (count, secondCount) = (other.count, other.secondCount)
    case .extra(let week): extra.formSymmetricDifference([week])
    case .occurrence(let week):
      overrides[week] = other.overrides[week]
      excluded.subtract([week])
      excluded.formUnion(other.excluded.intersection([week]))
    }
  }
}

extension ItemDraft.Part {
  /// What is edited where somebody else edits this: most often the same, sometimes what hangs together
  /// with it.
  fileprivate func rival(_ random: inout SeededGenerator) -> ItemDraft.Part {
    guard Int.random(in: 0..<4, using: &random) == 0 else { return self }
    switch self {
    case .time, .rule:
      return [.occurrence(Int.random(in: 1...5, using: &random)), .time, .rule]
        .randomElement(using: &random) ?? self
    case .occurrence, .extra: return [.time, .rule].randomElement(using: &random) ?? self
    case .text, .list, .attendee, .alarm, .organizer, .progress: return self
    }
  }
}
