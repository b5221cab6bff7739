// SPDX-License-Identifier: Apache-2.0

/// Drafts and edits at random.
extension ItemDraft {
  private static let words = [
    "mill", "harbour", "garden", "Käthe", "lunch", "🦊", "a\\, b", "one\\;two",
  ]
  private static let textNames = [
    "SUMMARY", "LOCATION", "DESCRIPTION", "COLOR", "X-ODD", "x-lower", "URL", "PRIORITY", "CLASS",
  ]
  private static let listNames = ["CATEGORIES", "COMMENT", "CONTACT", "RELATED-TO", ItemDraft.tag]
  private static let people = ["ada", "jim", "eve"]

  /// A draft at random.
  public static func random(_ random: inout SeededGenerator) -> ItemDraft {
    var draft = ItemDraft()
    draft.style = Style.allCases.randomElement(using: &random) ?? .utc
    draft.hasDuration = Bool.random(using: &random)
    if Bool.random(using: &random) {
      draft.count = Int.random(in: 6...9, using: &random)
      if Bool.random(using: &random) {
        draft.secondCount = Int.random(in: 1...3, using: &random)
      }
    }
    for _ in 0..<Int.random(in: 3...14, using: &random) { draft.edit(&random) }
    return draft
  }

  /// The draft after some edits at random.
  public func edited(_ random: inout SeededGenerator) -> ItemDraft {
    var draft = self
    for _ in 0..<Int.random(in: 1...4, using: &random) { draft.edit(&random) }
    return draft
  }

  private mutating func edit(_ random: inout SeededGenerator) {
    stamp += Int.random(in: 0...3, using: &random)
    switch Int.random(in: 0..<12, using: &random) {
    case 0...2: editText(&random)
    case 3, 4: editList(&random)
    case 5, 6: editAttendee(&random)
    case 7: editAlarm(&random)
    case 8: hour = Int.random(in: 6...12, using: &random)
    case 9:
      if Bool.random(using: &random) {
        hours = Int.random(in: 1...3, using: &random)
      } else {
        day = Int.random(in: 0...3, using: &random)
      }
    default: editOccurrence(&random)
    }
  }

  private mutating func editText(_ random: inout SeededGenerator) {
    let name = Self.textNames.randomElement(using: &random) ?? "SUMMARY"
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

  private mutating func editList(_ random: inout SeededGenerator) {
    let name = Self.listNames.randomElement(using: &random) ?? "CATEGORIES"
    let word = Self.words.randomElement(using: &random) ?? "lunch"
    if lists[name]?.contains(word) == true {
      lists[name]?.remove(word)
    } else {
      lists[name, default: []].insert(word)
    }
  }

  private mutating func editAttendee(_ random: inout SeededGenerator) {
    let name = Self.people.randomElement(using: &random) ?? "ada"
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

  private mutating func editAlarm(_ random: inout SeededGenerator) {
    let uid = ["alarm-1", "alarm-2"].randomElement(using: &random) ?? "alarm-1"
    if alarms[uid] != nil, Bool.random(using: &random) {
      alarms[uid] = nil
    } else {
      alarms[uid] = Alarm(
        minutesBefore: Int.random(in: 1...60, using: &random),
        text: Self.words.randomElement(using: &random) ?? "lunch")
    }
  }

  private mutating func editOccurrence(_ random: inout SeededGenerator) {
    guard count != nil else { return }
    let week = Int.random(in: 1...5, using: &random)
    switch Int.random(in: 0..<7, using: &random) {
    case 4:
      extra.formSymmetricDifference([week])
    case 5:
      secondCount = secondCount.map { $0 + 1 }
    case 6:
      count = count.map { $0 + 1 }
    case 0:
      overrides[week] = nil
      excluded.insert(week)
    case 1: overrides[week] = nil
    default:
      excluded.remove(week)
      overrides[week] = Override(
        minutesLater: Int.random(in: 0...2, using: &random) * 30,
        summary: Self.words.randomElement(using: &random) ?? "lunch",
        location: Bool.random(using: &random) ? "mill" : nil,
        alarm: Bool.random(using: &random) ? Int.random(in: 1...9, using: &random) : nil,
        category: Self.words.randomElement(using: &random))
    }
  }
}
