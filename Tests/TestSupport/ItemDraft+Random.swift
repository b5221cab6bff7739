// SPDX-License-Identifier: Apache-2.0

/// Drafts and edits at random.
extension ItemDraft {
  private static let words = [
    "mill", "harbour", "garden", "Käthe", "lunch", "🦊", "a\\, b", "one\\;two",
  ]
  fileprivate static let textNames = [
    "SUMMARY", "LOCATION", "DESCRIPTION", "COLOR", "X-ODD", "x-lower", "URL", "PRIORITY", "CLASS",
  ]
  fileprivate static let listNames = [
    "CATEGORIES", "COMMENT", "CONTACT", "RELATED-TO", ItemDraft.tag,
  ]
  fileprivate static let people = ["ada", "jim", "eve"]
  /// How much later than its occurrence an override starts: at the same time every third time.
  private static let minutesLater = [-60, 0, 0, 30, 60, 120]
  /// How far from its occurrence an override may stand, to be on the same day with the whole of it.
  private static let farthestMinutes = -360...360

  /// A draft at random.
  public static func random(_ random: inout SeededGenerator) -> ItemDraft {
    var draft = ItemDraft()
    if Int.random(in: 0..<4, using: &random) == 0 { draft.kind = .reminder }
    draft.style = Style.allCases.randomElement(using: &random) ?? .utc
    draft.hasDuration = Bool.random(using: &random)
    if Bool.random(using: &random) { draft.sequence = Int.random(in: 0...2, using: &random) }
    if Int.random(in: 0..<4, using: &random) > 0 {
      draft.count = Int.random(in: 6...9, using: &random)
      if Bool.random(using: &random) {
        draft.secondCount = Int.random(in: 1...3, using: &random)
      }
    }
    for _ in 0..<Int.random(in: 3...14, using: &random) {
      draft.edit(.random(&random), &random)
    }
    return draft
  }

  /// The draft after some edits at random.
  public func edited(_ random: inout SeededGenerator) -> ItemDraft {
    var draft = self
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      draft.edit(.random(&random), &random)
    }
    return draft
  }

  mutating func edit(_ part: Part, _ random: inout SeededGenerator) {
    stamp += Int.random(in: 0...3, using: &random)
    switch part {
    case .text(let name): editText(name, &random)
    case .list(let name): editList(name, &random)
    case .attendee(let address): editAttendee(address, &random)
    case .alarm(let uid): editAlarm(uid, &random)
    case .organizer: editOrganizer(&random)
    case .progress: editProgress(&random)
    case .time: editTime(&random)
    case .rule: editRule(&random)
    case .extra(let week): if count != nil { extra.formSymmetricDifference([week]) }
    case .occurrence(let week): editOccurrence(week, &random)
    }
  }

  private mutating func editText(_ name: String, _ random: inout SeededGenerator) {
    let word = Self.words.randomElement(using: &random) ?? "lunch"
    if name == "URL" {
      texts[name] = "http://example.org/\(Int.random(in: 0...9, using: &random))"
    } else if Int.random(in: 0..<5, using: &random) == 0 {
      texts[name] = nil
    } else if name == "PRIORITY" {
      texts[name] = "\(Int.random(in: 1...9, using: &random))"
    } else if name == "CLASS" {
      texts[name] = ["PRIVATE", "CONFIDENTIAL"].randomElement(using: &random)
    } else {
      texts[name] = word + " \(Int.random(in: 0...9, using: &random))"
    }
  }

  private mutating func editList(_ name: String, _ random: inout SeededGenerator) {
    let word = Self.words.randomElement(using: &random) ?? "lunch"
    if lists[name]?.contains(word) == true {
      lists[name]?.remove(word)
    } else {
      lists[name, default: []].insert(word)
    }
  }

  private mutating func editAttendee(_ name: String, _ random: inout SeededGenerator) {
    guard Int.random(in: 0..<5, using: &random) > 0 else {
      attendees[name] = nil
      return
    }
    var attendee = attendees[name] ?? Attendee(answer: "NEEDS-ACTION", role: "CHAIR")
    if Bool.random(using: &random) {
      attendee.answer = ["ACCEPTED", "DECLINED"].randomElement(using: &random) ?? "ACCEPTED"
    } else {
      attendee.role = ["CHAIR", "OPT-PARTICIPANT"].randomElement(using: &random) ?? "CHAIR"
    }
    attendees[name] = attendee
  }

  private mutating func editAlarm(_ uid: String, _ random: inout SeededGenerator) {
    if alarms[uid] != nil, Bool.random(using: &random) {
      alarms[uid] = nil
    } else {
      alarms[uid] = Alarm(
        minutesBefore: Int.random(in: 1...60, using: &random),
        text: Self.words.randomElement(using: &random) ?? "lunch")
    }
  }

  private mutating func editOrganizer(_ random: inout SeededGenerator) {
    if Int.random(in: 0..<3, using: &random) > 0 { sequence = (sequence ?? 0) + 1 }
    guard Int.random(in: 0..<4, using: &random) > 0 else { return }
    organizer = Organizer(
      address: organizer?.address ?? Self.people.randomElement(using: &random) ?? "ada",
      name: ["Ada", "Jim", "Eve"].randomElement(using: &random) ?? "Ada")
    if Int.random(in: 0..<3, using: &random) == 0 {
      organizer?.address = Self.people.randomElement(using: &random) ?? "ada"
    }
  }

  private mutating func editProgress(_ random: inout SeededGenerator) {
    guard kind == .reminder else { return editTime(&random) }
    let status = ["NEEDS-ACTION", "IN-PROCESS", "COMPLETED", "CANCELLED"]
      .randomElement(using: &random)
    progress = status.map {
      Progress(
        status: $0,
        percent: Bool.random(using: &random) ? Int.random(in: 1...9, using: &random) * 10 : nil)
    }
  }

  private mutating func editTime(_ random: inout SeededGenerator) {
    switch Int.random(in: 0..<12, using: &random) {
    case 0...4: editHour(&random)
    case 5...7: hours = Int.random(in: 1...3, using: &random)
    case 8: hasDuration.toggle()
    case 9, 10: day = Int.random(in: 0...3, using: &random)
    default: style = Style.allCases.randomElement(using: &random) ?? style
    }
  }

  /// Moves the start to another hour; every second override that stands elsewhere than its occurrence stays
  /// where it was put, and the others move along.
  private mutating func editHour(_ random: inout SeededGenerator) {
    let earlier = hour
    hour = Int.random(in: 6...12, using: &random)
    for (week, override) in overrides.sorted(by: { $0.key < $1.key })
    where override.minutesLater != 0 && Bool.random(using: &random) {
      let minutesLater = override.minutesLater + (earlier - hour) * 60
      guard Self.farthestMinutes.contains(minutesLater) else { continue }
      overrides[week]?.minutesLater = minutesLater
    }
  }

  private mutating func editRule(_ random: inout SeededGenerator) {
    guard let count else { return editTime(&random) }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: secondCount = secondCount.map { $0 + 1 } ?? 1
    case 1: self.count = max(2, count - Int.random(in: 1...4, using: &random))
    case 2: secondCount = nil
    default: self.count = count + Int.random(in: 1...2, using: &random)
    }
  }

  private mutating func editOccurrence(_ week: Int, _ random: inout SeededGenerator) {
    guard count != nil else { return editTime(&random) }
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1:
      overrides[week] = nil
      excluded.insert(week)
    case 2: overrides[week] = nil
    case 3 where overrides[week] != nil:
      overrides[week]?.location = ["harbour", "garden", nil].randomElement(using: &random) ?? nil
    case 4 where overrides[week] != nil:
      overrides[week]?.minutesLater = Self.minutesLater.randomElement(using: &random) ?? 0
    default:
      excluded.remove(week)
      overrides[week] = Override(
        minutesLater: Self.minutesLater.randomElement(using: &random) ?? 0,
        summary: Self.words.randomElement(using: &random) ?? "lunch",
        location: Bool.random(using: &random) ? "mill" : nil,
        alarm: Bool.random(using: &random) ? Int.random(in: 1...9, using: &random) : nil,
        category: Self.words.randomElement(using: &random))
    }
  }
}

extension ItemDraft.Part {
  /// A part at random, those more often that say more.
  static func random(_ random: inout SeededGenerator) -> ItemDraft.Part {
    func one(of names: [String]) -> String { names.randomElement(using: &random) ?? names[0] }
    let week = Int.random(in: 1...5, using: &random)
    switch Int.random(in: 0..<16, using: &random) {
    case 0...2: return .text(one(of: ItemDraft.textNames))
    case 3, 4: return .list(one(of: ItemDraft.listNames))
    case 5, 6: return .attendee(one(of: ItemDraft.people))
    case 7: return .alarm(one(of: ["alarm-1", "alarm-2"]))
    case 8: return .organizer
    case 9: return .progress
    case 10, 11: return .time
    case 12: return .rule
    case 13: return .extra(week)
    default: return .occurrence(week)
    }
  }
}
