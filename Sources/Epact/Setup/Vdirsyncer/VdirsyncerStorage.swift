// SPDX-License-Identifier: Apache-2.0

/// A storage of vdirsyncer: one side of a pair.
struct VdirsyncerStorage: Sendable {
  /// Options that are taken over or have no effect here.
  private static let known: Set<String> = [
    "type", "path", "url", "username", "password", "password.fetch", "fileext", "encoding",
    "verify",
    "auth", "auth_cert", "useragent", "read_only", "fileignoreext",
  ]

  let section: VdirsyncerFile.Section

  init(_ section: VdirsyncerFile.Section) {
    self.section = section
  }

  private var type: String { section["type"]?.text ?? "" }

  /// Whether the storage is a folder on this machine.
  var isFolder: Bool { type == "filesystem" }

  /// Whether the storage is on this machine.
  var isLocal: Bool { isFolder || type == "singlefile" }

  /// The kind of the remote.
  var kind: String {
    switch type {
    case "filesystem": "folder"
    case "singlefile": "file"
    case "http": "webcal"
    default: "caldav"
    }
  }

  /// The URL as a remote has it; a collection ends with a slash.
  func address(_ url: String) -> String {
    kind == "webcal" || url.hasSuffix("/") ? url : url + "/"
  }

  /// The reason for not taking over the pairs of the storage; nil if there is none.
  var obstacle: String? {
    let name = section.name
    switch type {
    case "filesystem", "singlefile", "caldav", "http": break
    case "carddav", "google_contacts": return "\(name) has contacts, which are not synchronized"
    case "google_calendar":
      return "\(name) signs in at Google; add it as a remote of its own with a token-command"
    default: return "the type \"\(type)\" of \(name) is unknown"
    }
    if isFolder, let ending = section["fileext"]?.text, ending != ".ics" {
      return "the files of \(name) end in \"\(ending)\", not in .ics"
    }
    if section["read_only"] == .bool(true), type != "http" {
      return "\(name) is read-only, and a sync would write to it"
    }
    if section["username.fetch"] != nil { return "the user name of \(name) comes from a program" }
    if let way = section["password.fetch"]?.elements?.first?.text,
      !["command", "shell"].contains(way)
    {
      return "the password of \(name) is asked for; give a program with password.fetch"
    }
    if section["verify"] == .bool(false) || section["verify_fingerprint"] != nil {
      return "\(name) does not check the certificate; name a file of certificates with verify"
    }
    return nil
  }

  /// The options that are not taken over.
  var remarks: [(storage: String, text: String)] {
    section.values.keys.filter { !Self.known.contains($0) }.sorted()
      .map { (section.name, "\($0) is not taken over") }
  }
}
