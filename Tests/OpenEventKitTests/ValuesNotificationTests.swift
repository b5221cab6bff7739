// SPDX-License-Identifier: Apache-2.0

import EventKit
import OpenEventKit
import Testing

@Suite("Values: notifications and conferences")
struct ValuesNotificationTests {
  @Test("The notification has Apple's name")
  func name() {
    #expect(Notification.Name.EKEventStoreChanged.rawValue == "EKEventStoreChangedNotification")
    #expect(NSNotification.Name.EKEventStoreChanged == .EKEventStoreChanged)
  }

  @Test("An iterator receives the notifications from its creation on, in order")
  func sequence() async {
    let center = NotificationCenter()
    var iterator = center.notifications(named: .EKEventStoreChanged).makeAsyncIterator()
    for number in 0..<3 {
      center.post(name: .EKEventStoreChanged, object: nil, userInfo: ["number": number])
      center.post(name: Notification.Name("Other"), object: nil)
    }
    for number in 0..<3 {
      let notification = await iterator.next(isolation: nil)
      #expect(notification?.userInfo?["number"] as? Int == number)
      #expect(notification?.name == .EKEventStoreChanged)
    }
  }

  @Test("Only the notifications of the object are received if there is one")
  func object() async {
    let center = NotificationCenter()
    let (mine, other) = (NSObject(), NSObject())
    var iterator = center.notifications(named: .EKEventStoreChanged, object: mine)
      .makeAsyncIterator()
    center.post(name: .EKEventStoreChanged, object: other)
    center.post(name: .EKEventStoreChanged, object: mine)
    let received = await iterator.next(isolation: nil)
    #expect(received?.object as? NSObject === mine)
  }

  @Test("A loop over the notifications of the default center runs, and ends with its task")
  func loop() async {
    let name = Notification.Name("ValuesNotificationTests.loop")
    let task = Task {
      var count = 0
      for await _ in NotificationCenter.default.notifications(named: name) {
        count += 1
        if count == 2 { break }
      }
      return count
    }
    // The loop has begun when it has ended: it is posted to until then.
    let poster = Task {
      while !Task.isCancelled {
        NotificationCenter.default.post(name: name, object: nil)
        await Task.yield()
      }
    }
    #expect(await task.value == 2)
    poster.cancel()

    let waiting = Task {
      for await _ in NotificationCenter.default.notifications(named: .EKEventStoreChanged)
        .filter({ _ in false })
      {}
      return true
    }
    waiting.cancel()
    #expect(await waiting.value)
  }

  final class Rooms: EKVirtualConferenceProvider {
    override func fetchAvailableRoomTypes() async throws -> [EKVirtualConferenceRoomTypeDescriptor]
    {
      [EKVirtualConferenceRoomTypeDescriptor(title: "Room", identifier: "room")]
    }

    override func fetchVirtualConference(
      identifier: EKVirtualConferenceRoomTypeIdentifier
    ) async throws -> EKVirtualConferenceDescriptor {
      guard let url = URL(string: "https://meet.example.org/\(identifier)") else {
        throw EKError(.internalFailure)
      }
      return EKVirtualConferenceDescriptor(
        title: nil, urlDescriptors: [EKVirtualConferenceURLDescriptor(title: "Join", url: url)],
        conferenceDetails: "Details")
    }
  }

  final class Callbacks: EKVirtualConferenceProvider {
    override func fetchAvailableRoomTypes(
      completionHandler:
        @escaping @Sendable (
          [EKVirtualConferenceRoomTypeDescriptor]?, (any Error)?
        ) -> Void
    ) {
      completionHandler([EKVirtualConferenceRoomTypeDescriptor(title: "A", identifier: "a")], nil)
    }

    override func fetchVirtualConference(
      identifier: EKVirtualConferenceRoomTypeIdentifier,
      completionHandler: @escaping @Sendable (EKVirtualConferenceDescriptor?, (any Error)?) -> Void
    ) {
      completionHandler(nil, EKError(.noCalendar))
    }
  }

  @Test("A provider overrides one form of a method, and the other form calls it")
  func providers() async throws {
    let titles = await withCheckedContinuation { continuation in
      Rooms().fetchAvailableRoomTypes { types, error in
        continuation.resume(returning: error == nil ? types?.map(\.title) : nil)
      }
    }
    #expect(titles == ["Room"])
    let conference = try await Rooms().fetchVirtualConference(identifier: "x")
    #expect(conference.urlDescriptors.map(\.url.absoluteString) == ["https://meet.example.org/x"])
    #expect(conference.urlDescriptors.map(\.title) == ["Join"])
    #expect(conference.title == nil && conference.conferenceDetails == "Details")

    #expect(try await Callbacks().fetchAvailableRoomTypes().map(\.identifier) == ["a"])
    await #expect(throws: EKError(.noCalendar)) {
      _ = try await Callbacks().fetchVirtualConference(identifier: "a")
    }
  }

  @Test("A provider that overrides neither form fails instead of calling itself for ever")
  func emptyProvider() async {
    let error = await #expect(throws: EKError.self) {
      _ = try await EKVirtualConferenceProvider().fetchAvailableRoomTypes()
    }
    #expect(error?.code == .osNotSupported)
    let code = await withCheckedContinuation { continuation in
      EKVirtualConferenceProvider().fetchVirtualConference(identifier: "x") { _, error in
        continuation.resume(returning: (error as? EKError)?.code)
      }
    }
    #expect(code == .osNotSupported)
  }

  @Test(
    "Colours are read and written as text",
    arguments: [
      ("#FF7F00", "#FF7F00"), ("#ff7f0080", "#FF7F00"), ("#000000", "#000000"),
      ("FF7F00", nil), ("#FF7F0", nil), ("#GG0000", nil), ("#+12345", nil), ("", nil),
    ] as [(String, String?)])
  func colorTexts(_ text: String, _ expected: String?) {
    #expect(CGColor(text: text)?.text == expected)
  }

  @Test("Components out of range are cut in the text of a colour")
  func wildColors() {
    #expect(CGColor(red: 2, green: -1, blue: .nan, alpha: 1).text == "#FF0000")
    #expect(CGColor(gray: 0.5, alpha: 0).text == "#808080")
    #expect(CGColor(text: "#ff7f0080")?.alpha == 128.0 / 255)
  }
}
