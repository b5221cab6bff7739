// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
package import CalendarSync
package import Epact

/// The remedies of problems, in the words and with the commands of the program.
///
/// Pages suggest remedies, but only the program knows its commands.
package protocol Remedies: Sendable {
  /// Describes an error, with its remedy.
  func failure(_ error: any Error) -> Failure
  /// The sentence about a remedy.
  func hint(_ remedy: EpactError.Remedy) -> ConsoleText
  /// How the user passes the guard of a sync.
  func hint(_ objection: GuardObjection, in result: SyncResult) -> ConsoleText
  /// Lists the conflicts of a sync, or all.
  func conflicts(of sync: String?) -> SuggestedCommand
  /// Subscribes to a feed.
  func subscribe(_ feed: String) -> SuggestedCommand
  /// Checks a file.
  func check(_ path: String) -> SuggestedCommand
  /// Adds a copy of an item.
  func copy(_ uid: UID) -> SuggestedCommand
}
