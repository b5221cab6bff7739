// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync

extension ConflictDesk {
  /// The merged item as it was left by the person's editor, which shows both versions of what is in conflict.
  ///
  /// - Throws: `Failure` if there is no editor, it left both versions or nothing was edited, what it left is
  ///   not the item, or it cannot be saved.
  func edited(_ conflict: WaitingConflict) throws -> CalendarItem {
    let merged = try merged(conflict, taking: .local)
    let rules = SavingRules(zones: normalForm.zones)
    let calendar = try place(of: conflict).map {
      SavingPlace(store: conflict.binding.local, isReadOnly: $0.isReadOnly)
    }
    // What keeps it from being saved before it is edited: what the item has is not asked for yet.
    let known = Set(rules.errors(in: merged).map(\.code))
    func faults(of item: CalendarItem) -> [SaveError] {
      rules.errors(in: item, savedIn: calendar, readFrom: conflict.binding.local)
        .filter { !known.contains($0.code) }
    }
    if let fault = faults(of: merged).first {
      throw Failure(.nothingDone, "\"\(conflict.stored.title)\" cannot be saved: \(fault.message)")
    }
    let text = ConflictText(
      here: merged.serialized(), there: try self.merged(conflict, taking: .remote).serialized())
    let bytes = try ItemEditor(machine: context.machine).edit(text.bytes)
    let title = conflict.stored.title
    guard bytes != text.bytes else {
      throw Failure(.conflicts, "\"\(title)\" is not settled: nothing was edited")
    }
    guard !ConflictText.hasMarks(bytes) else {
      throw Failure(
        .conflicts, "\"\(title)\" is not settled: marks of both versions are left",
        hint: "Edit it again, and delete the lines with <<<<<<<, ======= and >>>>>>>.")
    }
    let item: CalendarItem
    do throws(ItemError) {
      item = try CalendarItem(
        parsing: ConflictText.withoutNotes(bytes), normalForm: normalForm)
    } catch {
      throw Failure(.nothingDone, "what was edited is not one item: \(error)")
    }
    let found = faults(of: item)
    guard found.isEmpty else {
      throw Failure(
        .nothingDone,
        "what was edited cannot be saved: \(found.map(\.message).joined(separator: "; "))",
        hint: "The conflict waits on; edit it again.")
    }
    return item
  }
}
