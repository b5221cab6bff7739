// SPDX-License-Identifier: Apache-2.0

extension ItemDraft {
  /// How a draft is written: whatever it is, the item means the same.
  public struct Spelling: Hashable, Sendable {
    /// Whether zones have another name.
    var usesAliases = false
    /// Whether an end is a duration and a duration an end.
    var flipsEnds = false
    /// Whether times that name occurrences are in UTC, where the zone is always as far from it.
    var usesUTC = false
    /// Whether each value of a list has a line of its own.
    var splitsLists = false
    /// Whether what goes without saying is said.
    var saysDefaults = false
    /// Whether the properties stand the other way round.
    var isReversed = false
    /// Whether addresses are in capitals, and parameters in another order.
    var shoutsAddresses = false

    /// How most programs write.
    public static let plain = Spelling()

    /// A spelling at random.
    public static func random(_ random: inout SeededGenerator) -> Spelling {
      Spelling(
        usesAliases: Bool.random(using: &random), flipsEnds: Bool.random(using: &random),
        usesUTC: Bool.random(using: &random), splitsLists: Bool.random(using: &random),
        saysDefaults: Bool.random(using: &random), isReversed: Bool.random(using: &random),
        shoutsAddresses: Bool.random(using: &random))
    }

    /// Properties that say what goes without saying, unless they are there.
    static let defaults = ["CLASS": "PUBLIC", "PRIORITY": "0", "TRANSP": "OPAQUE", "SEQUENCE": "0"]
  }

  /// The draft in other words, which mean the same.
  public func spelled(_ random: inout SeededGenerator) -> ItemDraft {
    var draft = self
    draft.spelling = .random(&random)
    return draft
  }

  /// The names of properties that some servers drop.
  private static let dropped: Set = ["COLOR", "X-ODD", "x-lower"]

  /// What a server holds that was sent the draft and drops what it does not know.
  public func stored(_ random: inout SeededGenerator) -> ItemDraft {
    var draft = spelled(&random)
    draft.isStripped = true
    draft.texts = texts.filter { !Self.dropped.contains($0.key) }
    draft.lists[Self.tag] = nil
    return draft
  }

  /// The draft with what servers drop as it is in another one.
  public func droppedPart(of base: ItemDraft) -> ItemDraft {
    var draft = self
    for name in Self.dropped { draft.texts[name] = base.texts[name] }
    draft.lists[Self.tag] = base.lists[Self.tag]
    return draft
  }
}
