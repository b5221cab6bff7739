// SPDX-License-Identifier: Apache-2.0

public import CalendarSync

// The words for the errors of the engine, and for the restrictions that some of them name.

extension AccessError {
  /// The error in English, for display.
  public var words: String {
    switch self {
    case .notDetermined(let remote, _): "no access to \(remote) was granted yet"
    case .denied(let remote, _): "access to \(remote) is denied"
    case .restricted(let remote, let restriction):
      "access to \(remote) is restricted: \(restriction.decidedBy) decided in "
        + "\(restriction.place) that it is never contacted"
    case .noAccess(let remote): "access to \(remote) is denied; nothing was sent"
    case .requestRefused(let request, let tier):
      "\(request) is refused: the access is \(tier.rawValue)"
    case .needsFull(let reason): reason
    case .restoreNeedsFull: "a remote is restored only under full access; nothing was sent"
    case .undoNeedsFull: "a run is taken back only under full access; nothing was sent"
    case .pullNeedsFull:
      "a sync that pulls reads the remote, which needs full access; nothing was sent"
    case .pullRestoresNothing:
      "the sync only pulls, so that it restores nothing on its remote; nothing was sent"
    case .emptyPurpose: "expected a purpose that says what is done and why, found none"
    }
  }
}

extension AccessRestriction {
  /// The restriction in English: `restricted to write-only by the IT department
  /// (/etc/epact/policy.toml:4)`.
  public var words: String { "restricted to \(tier.rawValue) by \(decidedBy) (\(place))" }
}

extension ConflictError {
  /// The error in English, for display.
  public var words: String {
    switch self {
    case .gone(let uid):
      "'\(uid)' is not in the local calendar any more; the next sync decides"
    case .editedSince(let uid): "'\(uid)' was edited here since; the next sync decides"
    case .unplaced(let uid):
      "it is not known where '\(uid)' is on the remote; the next sync finds it"
    case .unreadable(let uid): "a version of '\(uid)' is missing or cannot be read"
    case .notCopied(let uid): "'\(uid)' cannot be copied"
    case .otherItem(let uid, let expected): "expected the UID '\(expected)', found '\(uid)'"
    case .notWritten(_, let reason?): reason
    case .notWritten(let uid, nil): "'\(uid)' changed meanwhile; nothing was written"
    }
  }
}

extension UndoError {
  /// The error in English, for display.
  public var words: String {
    switch self {
    case .otherPlaces(let run):
      "run \(run.rawValue) was of other places than the sync has now; nothing was sent"
    }
  }
}
