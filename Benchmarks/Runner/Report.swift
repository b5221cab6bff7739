// SPDX-License-Identifier: Apache-2.0

/// A run as JSON, with all that is needed to compare it to another one.
struct Report {
  /// The digest of what the generator writes.
  let digest: String
  let results: [RowResult]

  /// The run, with a line for each row, so that two records can be compared by line.
  var json: String {
    let version = try? System.run(["swift", "--version"]).output.split(separator: "\n").first
    let head: [(String, String)] = [
      ("date", System.date()), ("processor", System.processor()),
      ("compiler", version.map(String.init) ?? "unknown"), ("build", Self.build),
      ("inputs", digest),
    ]
    var lines = head.map { "  \(JSON.text($0).text): \(JSON.text($1).text)," }
    lines.append("  \"rows\": [")
    lines.append(results.map { "    \($0.json.text)" }.joined(separator: ",\n"))
    return "{\n\(lines.joined(separator: "\n"))\n  ]\n}\n"
  }

  /// How the program was built, because a debug build says nothing about speed.
  static var build: String {
    #if DEBUG
      "debug"
    #else
      "release"
    #endif
  }
}
