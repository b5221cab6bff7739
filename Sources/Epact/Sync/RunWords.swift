// SPDX-License-Identifier: Apache-2.0

package import CalendarSync

extension RunSummary {
  /// The changes and the remaining work as phrases, without zero counts.
  package var phrases: [String] { phrases(downloaded: "downloaded") }

  /// The phrases, with a given word for the items written to the local calendar.
  package func phrases(downloaded word: String) -> [String] {
    let counts: [(number: Int, words: String)] = [
      (uploaded, "uploaded"), (downloaded, word), (appended, "added to the remote"),
      (deletedRemotely, "deleted on the remote"), (deletedLocally, "deleted here"),
      (properties, properties == 1 ? "property set" : "properties set"),
      (conflicts, conflicts == 1 ? "conflict waits" : "conflicts wait"), (failed, "failed"),
      (deferred, "left for the next run"),
    ]
    return counts.filter { $0.number > 0 }.map { "\(Count.grouped($0.number)) \($0.words)" }
  }
}

extension PastRun {
  /// The word for the items that the run wrote to local calendars.
  package var written: String {
    if undoes != nil { return "put back here" }
    if isOwn { return importedCalendar == nil ? "written here" : "imported" }
    return binding.map { MirrorRemote.isMirror($0.remote) } == true ? "copied" : "downloaded"
  }
}

extension SyncResult {
  /// The changes and the remaining work as phrases, without zero counts.
  package var phrases: [String] {
    summary.phrases(downloaded: isMirror ? "copied" : "downloaded")
  }
}

extension Intent.Action {
  /// The change, in the past tense.
  package var pastPhrase: String {
    switch self {
    case .createRemote, .append: "added to the remote"
    case .updateRemote: "changed on the remote"
    case .deleteRemote: "deleted on the remote"
    case .moveRemote: "moved on the remote"
    case .createLocal: "added here"
    case .updateLocal: "changed here"
    case .deleteLocal: "deleted here"
    }
  }
}
