// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import Epact
import EventKit
import Testing

/// What Apple's documents state about purposes and older requests.
@Suite("Statements about purposes")
struct PurposeStatements {
  @Test("25, 26, 30: each tier and entity has its key, whose text is shown verbatim")
  func keys() async throws {
    let scene = try StoreScene()
    let store = scene.newStore()
    _ = try await store.requestWriteOnlyAccessToEvents()
    _ = try await store.requestFullAccessToEvents()
    _ = try await store.requestFullAccessToReminders()
    #expect(
      scene.prompt.purposes == [
        StoreScene.purposes["NSCalendarsWriteOnlyAccessUsageDescription"],
        StoreScene.purposes["NSCalendarsFullAccessUsageDescription"],
        StoreScene.purposes["NSRemindersFullAccessUsageDescription"],
      ])
  }

  @Test("27, 28: without its key a request is denied, nothing is asked, and nothing is stored")
  func missingKey() async throws {
    let scene = try StoreScene(
      purposes: ["NSCalendarsWriteOnlyAccessUsageDescription": "Adds your bookings."])
    let store = scene.newStore()
    #expect(try await store.requestFullAccessToEvents() == false)
    #expect(try await store.requestFullAccessToReminders() == false)
    #expect(scene.prompt.count == 0)
    #expect(scene.status(for: .event) == .notDetermined)
    for key in ["NSCalendarsFullAccessUsageDescription", "NSRemindersFullAccessUsageDescription"] {
      #expect(scene.notes.contains { $0.contains("its Info.plist has no \(key)") })
    }
    #expect(try await store.requestWriteOnlyAccessToEvents())
  }

  @Test("29: a purpose in any language is shown as it is", arguments: ["Kurz.", "为您添加预约", "x"])
  func anyPurpose(_ text: String) async throws {
    let scene = try StoreScene(purposes: ["NSCalendarsFullAccessUsageDescription": text])
    #expect(try await scene.newStore().requestFullAccessToEvents())
    #expect(scene.prompt.purposes == [text])
  }

  @Test("31: an older key alone opens nothing")
  func olderKey() async throws {
    let scene = try StoreScene(purposes: [
      "NSCalendarsUsageDescription": "Old.", "NSRemindersUsageDescription": "Old.",
    ])
    #expect(try await scene.newStore().requestFullAccessToEvents() == false)
    #expect(try await scene.newStore().requestFullAccessToReminders() == false)
    #expect(scene.prompt.count == 0)
  }

  @Test(
    "32: the older request throws without a question", arguments: [EKEntityType.event, .reminder])
  func olderRequest(_ type: EKEntityType) async throws {
    let scene = try StoreScene()
    let store = scene.newStore()
    let client: any OlderProgram = OlderCalls()
    let error = await #expect(throws: EKError.self) { try await client.request(store, type) }
    #expect(error?.code == .osNotSupported)
    #expect(scene.prompt.count == 0)
    #expect(scene.status(for: type) == .notDetermined)
  }

  @Test("33: both branches of an availability check compile")
  func availability() async throws {
    let scene = try StoreScene()
    let client: any OlderProgram = OlderCalls()
    #expect(try await client.requestByVersion(scene.newStore()))
  }

  @Test("34: the older name of full access is full access, and never write-only")
  func authorized() {
    let client: any OlderProgram = OlderCalls()
    #expect(EKAuthorizationStatus(rawValue: 3) == .fullAccess)
    #expect(client.authorized == .fullAccess)
    #expect(client.authorized != .writeOnly)
  }

  @Test("35: a grant of write-only access never counts for full access")
  func olderGrant() async throws {
    let scene = try StoreScene()
    try scene.write("lunch", to: "home")
    try await scene.grant(.writeOnly, for: .event)
    for _ in 0..<2 {
      let store = scene.newStore()
      store.reset()
      #expect(store.lunches.isEmpty)
      #expect(scene.status(for: .event) == .writeOnly)
    }
  }
}

/// The calls of programs written before the tiers existed.
private protocol OlderProgram {
  var authorized: EKAuthorizationStatus { get }

  func request(_ store: EKEventStore, _ type: EKEntityType) async throws -> Bool
  func requestByVersion(_ store: EKEventStore) async throws -> Bool
}

private struct OlderCalls: OlderProgram {
  @available(*, deprecated)
  var authorized: EKAuthorizationStatus { .authorized }

  @available(*, deprecated)
  func request(_ store: EKEventStore, _ type: EKEntityType) async throws -> Bool {
    try await store.requestAccess(to: type)
  }

  @available(*, deprecated)
  func requestByVersion(_ store: EKEventStore) async throws -> Bool {
    // swift-format-ignore: UseEarlyExits
    if #available(iOS 17, macOS 14, *) {
      return try await store.requestFullAccessToEvents()
    } else {
      return try await store.requestAccess(to: .event)
    }
  }
}
