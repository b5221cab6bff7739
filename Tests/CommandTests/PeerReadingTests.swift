// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Other programs read what the commands wrote: khal, todoman and vdirsyncer, which `.ci/setup` installs.
struct PeerReadingTests {
  private let sandbox: Sandbox
  private static let programs = Sandbox.fixtures.deletingLastPathComponent()
    .appending(path: ".build/servers/bin").path

  init() throws {
    sandbox = try Sandbox()
    for name in ["khal", "todo", "vdirsyncer"] {
      try #require(
        FileManager.default.isExecutableFile(atPath: "\(Self.programs)/\(name)"),
        "\(name) is missing: run .ci/setup")
    }
    let setup = try sandbox.run(
      """
      mkdir -p config/epact config/khal config/todoman data home tasks
      cat > config/epact/config.toml <<END
      [calendar.home]
      path = "~/home"
      components = ["VEVENT"]
      [calendar.tasks]
      path = "~/tasks"
      components = ["VTODO"]
      END
      cat > config/khal/config <<END
      [calendars]
      [[home]]
      path = $DIR/home
      [locale]
      local_timezone = UTC
      default_timezone = UTC
      timeformat = %H:%M
      dateformat = %Y-%m-%d
      longdateformat = %Y-%m-%d
      datetimeformat = %Y-%m-%d %H:%M
      longdatetimeformat = %Y-%m-%d %H:%M
      [sqlite]
      path = $DIR/data/khal.db
      END
      cat > config/todoman/config.py <<END
      path = "$DIR/task*"
      date_format = "%Y-%m-%d"
      time_format = "%H:%M"
      cache_path = "$DIR/data/todo.db"
      END
      """)
    try #require(setup.status == 0, "\(setup.errors)")
  }

  private func run(_ command: String) throws -> String {
    let result = try sandbox.run(
      "export XDG_DATA_HOME=$DIR/data XDG_CACHE_HOME=$DIR/data; \(command)")
    try #require(result.status == 0, "\(command): \(result.errors)")
    return result.output
  }

  private func khal() throws -> [Substring] {
    let format = "{start-long-full}|{end-long-full}|{title}|{location}|{description}|{alarm-symbol}"
    return try run(
      "\(Self.programs)/khal list --format '\(format)' --day-format '' 2030-12-01 40d"
    ).split(separator: "\n")
  }

  @Test func khalReadsEvents() throws {
    _ = try run(
      """
      epact new "Lunch, with Ana" 2030-12-06 12:30 for 1h --at "Café; left" --note "One" --alarm 15m
      epact new Trip 2030-12-10..2030-12-12
      epact new Stand-up 2030-12-02 9:30-9:45 --zone America/New_York --repeat daily --times 4
      epact edit stand-up --this 2030-12-03 --start "2030-12-03 11:00" --title "Late stand-up"
      epact delete stand-up --this 2030-12-04
      epact copy trip home
      """)
    let events = try khal()
    for line in [
      "2030-12-06 12:30|2030-12-06 13:30|Lunch, with Ana|Café; left|One|",
      "2030-12-02 14:30|2030-12-02 14:45|Stand-up|||",
      "2030-12-03 16:00|2030-12-03 16:15|Late stand-up|||",
      "2030-12-05 14:30|2030-12-05 14:45|Stand-up|||",
    ] {
      #expect(events.contains { $0.hasPrefix(line) }, "\(line) in \(events)")
    }
    #expect(events.count { $0.contains("Stand-up") } == 2)
    #expect(events.contains { $0.contains("2030-12-10") && $0.contains("Trip") }, "\(events)")
    _ = try run("epact delete lunch; epact undo; epact edit lunch --title Dinner")
    #expect(try khal().contains { $0.contains("|Dinner|Café; left|One|") })
  }

  /// vdirsyncer takes a feed apart by UIDs, and asks for it with the tag of the last answer.
  @Test func vdirsyncerReadsAFeed() throws {
    let output = try run(
      """
      epact new "Lunch, with Ana" 2030-12-06 12:30 for 1h --at "Café; left" --note "One"
      epact new Stand-up 2030-12-02 9:30-9:45 --zone America/New_York --repeat daily --times 4
      epact edit stand-up --this 2030-12-03 --start "2030-12-03 11:00" --title "Late stand-up"
      token=$(epact feed make home --show titles | sed -n 's/.*again: //p')
      epact serve --port 0 > address & server=$!
      until grep -q key= address; do sleep 0.05; done
      cat > vdirsyncer.conf <<END
      [general]
      status_path = "$DIR/status"
      [pair reading]
      a = "feed"
      b = "copy"
      collections = null
      [storage feed]
      type = "http"
      url = "$(sed 's,/?key.*,,' address)/feed/$token.ics"
      [storage copy]
      type = "filesystem"
      path = "$DIR/home-copy"
      fileext = ".ics"
      END
      vdirsyncer() { \(Self.programs)/vdirsyncer -c vdirsyncer.conf "$@" 2>&1; }
      mkdir home-copy; yes | vdirsyncer discover > log || cat log; vdirsyncer sync > log || cat log
      vdirsyncer sync > log || cat log; epact edit lunch --title Dinner > log; vdirsyncer sync > log || cat log
      kill $server; wait $server
      ls home-copy | wc -l; sed 's/\r//' home-copy/*.ics | grep -E '^(SUMMARY|LOCATION|DTSTART.*:2030|RRULE:FREQ=DAILY)' | sort
      """)
    #expect(
      output.split(separator: "\n").drop { $0.trimmingCharacters(in: .whitespaces) != "2" } == [
        "2", "DTSTART:20301206T123000Z", "DTSTART;TZID=America/New_York:20301202T093000",
        "DTSTART;TZID=America/New_York:20301203T110000", "RRULE:FREQ=DAILY;COUNT=4",
        "SUMMARY:Dinner", "SUMMARY:Late stand-up", "SUMMARY:Stand-up",
      ], "\(output)")
  }

  @Test func todomanReadsReminders() throws {
    _ = try run(
      """
      epact todo add "Renew the passport" 2030-03-01 --priority high --category papers
      epact todo add "Pay the rent" 2030-02-01 9:00 --repeat monthly
      epact todo add "Take photos" --parent renew
      epact todo done rent
      epact todo done photos --yes || epact todo done "Take photos"
      """)
    struct Task: Decodable {
      let summary: String
      let completed: Bool
      let due: Int?
      let priority: Int
      let recurring: Bool
    }
    let json = try run("\(Self.programs)/todo --porcelain list --status ANY")
    let tasks = try JSONDecoder().decode([Task].self, from: Data(json.utf8))
    func task(_ summary: String, _ isDone: Bool) -> Task? {
      tasks.first { $0.summary == summary && $0.completed == isDone }
    }
    #expect(tasks.count == 4)
    #expect(task("Renew the passport", false)?.priority == 1)
    #expect(task("Pay the rent", true)?.due == 1_896_166_800)
    #expect(task("Pay the rent", true)?.recurring == false)
    #expect(task("Pay the rent", false)?.due == 1_898_586_000)
    #expect(task("Pay the rent", false)?.recurring == true)
    #expect(task("Take photos", true) != nil)
  }
}
