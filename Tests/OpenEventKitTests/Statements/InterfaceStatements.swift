// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import Epact
import EventKit
import OpenEventKit
import Synchronization
import TestSupport
import Testing

/// What Apple's documents state about the system's editor, and their counterparts on Linux.
@Suite("Statements about interfaces")
struct InterfaceStatements {
  /// A scene in which the program `epact` copies the offered file to `offered.ics`.
  private func scene(status: Int = 0) throws -> (StoreScene, Machine) {
    let scene = try StoreScene()
    let script = """
      #!/bin/sh
      echo "$1 $2" > '\(scene.folder.path)/arguments'
      cp "$3" '\(scene.folder.path)/offered.ics'
      exit \(status)
      """
    let path = try scene.folder.write(script.utf8, to: "epact")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    var machine = scene.machine
    machine.environment["PATH"] = "\(scene.folder.path):\(machine.environment["PATH"] ?? "")"
    return (scene, machine)
  }

  private func present(_ event: EKEvent, of store: EKEventStore) async -> EKEventEditViewAction {
    let controller = EKEventEditViewController()
    controller.eventStore = store
    controller.event = event
    return await withCheckedContinuation { continuation in
      controller.present { continuation.resume(returning: $0) }
    }
  }

  @Test("2, 70: the editor asks for no access, and runs in another process")
  func noAccess() async throws {
    let (scene, machine) = try scene()
    let store = EKEventStore(machine: machine, program: scene.program, prompt: scene.prompt)
    _ = await present(store.newLunch(), of: store)
    #expect(scene.prompt.count == 0)
    #expect(scene.status(for: .event) == .notDetermined)
    let arguments = String(decoding: try scene.folder.bytes(of: "arguments"), as: UTF8.self)
    #expect(arguments.hasPrefix("handoff --"))
    scene.prompt.answer = .denied
    #expect(try await store.requestFullAccessToEvents() == false)
    try scene.remove("arguments")
    _ = await present(store.newLunch(), of: store)
    #expect(self.arguments(scene)?.hasPrefix("handoff --") == true)
    #expect(scene.prompt.count == 1)
  }

  @Test("71: the prepared event is what is offered")
  func prefilled() async throws {
    let (scene, machine) = try scene()
    let store = EKEventStore(machine: machine, program: scene.program, prompt: scene.prompt)
    let event = store.newLunch()
    event.location = "Café"
    _ = await present(event, of: store)
    let text = String(decoding: try scene.folder.bytes(of: "offered.ics"), as: UTF8.self)
    #expect(text.contains("SUMMARY:Lunch"))
    #expect(text.contains("LOCATION:Café"))
  }

  @Test("72: the program learns nothing from the event that was offered")
  func unchanged() async throws {
    let (scene, machine) = try scene()
    let store = EKEventStore(machine: machine, program: scene.program, prompt: scene.prompt)
    let event = store.newLunch()
    let hadChanges = event.hasChanges
    _ = await present(event, of: store)
    #expect(event.isNew)
    #expect(event.eventIdentifier == nil)
    #expect(event.hasChanges == hadChanges)
    #expect(event.title == "Lunch")
  }

  @Test("73: the result is saved or canceled, and canceled where it is unknown")
  func result() async throws {
    for (status, isSaved) in [(0, true), (2, false), (77, false)] {
      let (scene, machine) = try scene(status: status)
      let store = EKEventStore(machine: machine, program: scene.program, prompt: scene.prompt)
      let item = try store.newLunch().preparedItem()
      #expect(try HandoffProcess(machine: machine, hasTerminal: true).offer(item) == isSaved)
      #expect(try HandoffProcess(machine: machine, hasTerminal: false).offer(item) == false)
    }
    let scene = try StoreScene()
    var machine = scene.machine
    machine.environment["PATH"] = "/nonexistent"
    let store = EKEventStore(machine: machine, program: scene.program, prompt: scene.prompt)
    #expect(await present(store.newLunch(), of: store) == .canceled)
  }

  /// Lets the user, for whom `epact` answers, choose calendars.
  private func choose(
    _ style: EKCalendarChooserSelectionStyle, of store: EKEventStore, _ process: HandoffProcess
  ) async -> Set<EKCalendar>? {
    let chooser = EKCalendarChooser(
      selectionStyle: style, displayStyle: .allCalendars, entityType: .event, eventStore: store)
    return await withCheckedContinuation { continuation in
      chooser.present(in: process) { continuation.resume(returning: $0) }
    }
  }

  /// A scene in which the program `epact` prints the identifiers of two calendars.
  private func chooserScene() async throws -> (StoreScene, EKEventStore, HandoffProcess) {
    let (scene, machine) = try scene()
    let ids = try CalendarLibrary(machine: machine).calendars().map(\.id)
    let script = """
      #!/bin/sh
      echo "$@" > '\(scene.folder.path)/arguments'
      printf '\(ids.joined(separator: "\\n"))\\n'
      """
    try scene.folder.write(script.utf8, to: "epact")
    let store = EKEventStore(machine: machine, program: scene.program, prompt: scene.prompt)
    return (scene, store, HandoffProcess(machine: machine, hasTerminal: true))
  }

  private func arguments(_ scene: StoreScene) -> String? {
    (try? scene.folder.bytes(of: "arguments")).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("74: a chooser needs write-only or full access, and shows writable calendars at least")
  func chooser() async throws {
    let (scene, store, process) = try await chooserScene()
    #expect(await choose(.multiple, of: store, process) == nil)
    #expect(arguments(scene) == nil && scene.prompt.count == 0)

    try await scene.grant(.writeOnly, for: .event)
    let token = try #require(await choose(.single, of: store, process)?.first)
    #expect(arguments(scene) == "handoff --choose events --writable\n")
    #expect(token.title == "Calendar" && store.calendars(for: .event).count == 1)

    try await scene.grant(.full, for: .event)
    let all = try #require(await choose(.multiple, of: store, process))
    #expect(arguments(scene) == "handoff --choose events --several\n")
    #expect(Set(all.map(\.title)) == ["home", "work"])
    let without = HandoffProcess(machine: scene.machine, hasTerminal: false)
    #expect(await choose(.multiple, of: store, without) == nil)
  }

  @Test("74: an event with write-only access is added to the chosen calendar")
  func chosenCalendar() async throws {
    let (scene, store, process) = try await chooserScene()
    try await scene.grant(.writeOnly, for: .event)
    let chosen = try #require(await choose(.multiple, of: store, process))
    let identifier = try scene.identifier(of: "work")
    let work = try #require(chosen.first { $0.calendarIdentifier == identifier })
    let (first, second) = (store.newLunch(), store.newLunch())
    second.calendar = work
    try store.save(first, span: .thisEvent, commit: false)
    try store.save(second, span: .thisEvent, commit: false)
    try store.commit()
    #expect(try scene.names(in: "home").count == 1 && scene.names(in: "work").count == 1)
    // Another store does not know the choice.
    let other = scene.newStore()
    #expect(other.calendar(withIdentifier: work.calendarIdentifier) == nil)
  }

  @Test("75: a view of an event needs full access, and the program learns nothing of it")
  func viewer() async throws {
    let (scene, machine) = try scene()
    try scene.write("daily", to: "home", rule: "FREQ=DAILY;COUNT=3")
    try scene.folder.write(
      "#!/bin/sh\necho \"$@\" > '\(scene.folder.path)/arguments'\n".utf8, to: "epact")
    try await scene.grant(.full, for: .event)
    let store = EKEventStore(machine: machine, program: scene.program, prompt: scene.prompt)
    let event = try #require(store.lunches.max { $0.startDate < $1.startDate })
    let process = HandoffProcess(machine: machine, hasTerminal: true)
    let controller = EKEventViewController()
    controller.event = event
    func present() async -> EKEventViewAction {
      await withCheckedContinuation { continuation in
        controller.present(in: process) { continuation.resume(returning: $0) }
      }
    }
    #expect(await present() == .done)
    let calendar = try scene.identifier(of: "home")
    #expect(
      arguments(scene) == "handoff --show=daily --calendar=\(calendar) --at=20261127T120000Z\n")
    try scene.remove("arguments")
    try scene.revoke()
    #expect(await present() == .done)
    #expect(arguments(scene) == nil)
  }

  @Test("77: a provider of conferences returns rooms and addresses")
  func conferences() async throws {
    final class Provider: EKVirtualConferenceProvider, @unchecked Sendable {
      override func fetchAvailableRoomTypes() async throws
        -> [EKVirtualConferenceRoomTypeDescriptor]
      {
        [EKVirtualConferenceRoomTypeDescriptor(title: "Room", identifier: "room")]
      }

      override func fetchVirtualConference(
        identifier: EKVirtualConferenceRoomTypeIdentifier
      ) async throws -> EKVirtualConferenceDescriptor {
        let url = try #require(URL(string: "https://example.org/\(identifier)"))
        return EKVirtualConferenceDescriptor(
          title: nil, urlDescriptors: [EKVirtualConferenceURLDescriptor(title: nil, url: url)],
          conferenceDetails: "Bring a cup")
      }
    }
    let provider = Provider()
    let rooms = try await provider.fetchAvailableRoomTypes()
    let room = try #require(rooms.first)
    let conference = try await provider.fetchVirtualConference(identifier: room.identifier)
    #expect(conference.urlDescriptors.map(\.url.absoluteString) == ["https://example.org/room"])
  }

  @Test("78: the sources are this computer, each account, and the subscriptions")
  func sources() async throws {
    let scene = try StoreScene(
      extra: """
        [calendar.holidays]
        path = "~/holidays"
        [remote.dav]
        kind = "caldav"
        url = "https://dav.example.org/ada/home/"
        username = "ada"
        password-command = ["true"]
        [remote.feed]
        kind = "webcal"
        url = "https://example.org/holidays.ics"
        [[sync]]
        name = "home"
        calendar = "home"
        remote = "dav"
        [[sync]]
        name = "holidays"
        calendar = "holidays"
        remote = "feed"
        """)
    try await scene.grant(.full, for: .event)
    let store = scene.newStore()
    let types = store.calendars(for: .event).map { ($0.title, $0.source.sourceType) }
    #expect(types.count == 3)
    #expect(types.contains { $0 == ("home", .calDAV) })
    #expect(types.contains { $0 == ("work", .local) })
    #expect(types.contains { $0 == ("holidays", .subscribed) })
    #expect(Set(store.sources.map(\.sourceType)) == [.calDAV, .local, .subscribed])
  }

  @Test("79: a store is created the same way with and without a grant", arguments: [false, true])
  func creation(_ isGranted: Bool) async throws {
    let scene = try StoreScene()
    if isGranted { try await scene.grant(.full, for: .event) }
    let stores = [scene.newStore(), scene.newStore()]
    #expect(stores[0].eventStoreIdentifier != "")
    #expect(scene.prompt.count == 0)
  }
}
