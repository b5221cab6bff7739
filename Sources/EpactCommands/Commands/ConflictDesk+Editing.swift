// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import Epact

extension ConflictDesk {
  /// The merged item, edited by the user; the editor shows both versions of each conflict.
  ///
  /// - Throws: `Failure` if there is no editor, the user edited nothing or left conflict markers,
  ///   or the edited text is not a valid item or cannot be saved.
  func edited(_ conflict: WaitingConflict) throws -> CalendarItem {
    let merged = try merged(conflict, taking: .local)
    let rules = SavingRules(zones: normalForm.zones)
    let calendar = try place(of: conflict).map {
      SavingPlace(store: conflict.binding.local, isReadOnly: $0.isReadOnly)
    }
    // Errors of the unedited item are ignored: the user did not cause them.
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
