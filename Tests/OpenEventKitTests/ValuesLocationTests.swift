// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import EventKit
import Foundation
import ICalSyntax
import OpenEventKit
import Testing

@Suite("Values: locations and participants")
struct ValuesLocationTests {
  @Test("A location that is created without a title has none")
  func untitled() {
    let location = EKStructuredLocation()
    #expect(location.title == nil && location.geoLocation == nil && location.radius == 0)
    location.title = "Harbour"
    #expect(location == EKStructuredLocation(title: "Harbour"))
  }

  @Test("A location of Apple's programs has its title, position and radius")
  func apple() throws {
    let event = try #require(
      try components(.event, in: "real-world/apple-structured-location.ics").first)
    let location = try #require(EKStructuredLocation(of: event))
    #expect(location.title == "Old Harbour")
    #expect(location.radius == 141.1749)
    #expect(location.geoLocation?.coordinate.latitude == 54.123456)
    #expect(location.geoLocation?.coordinate.longitude == 13.456789)
  }

  @Test("A superfluous colon before the position is ignored, and a broken address does no harm")
  func quirks() throws {
    let events = try components(.event, in: "quirks/11-apple-location.ics")
    let first = try #require(events.first)
    let location = try #require(EKStructuredLocation(of: first))
    #expect(location.title == "Harbour")
    #expect(location.radius == 70)
    #expect(location.geoLocation?.coordinate.latitude == 54.1)
    let last = try #require(events.last)
    #expect(EKStructuredLocation(of: last) == nil)
  }

  @Test("A text and a position of RFC 5545 are a location; a position alone is none")
  func standard() throws {
    let both = try component(
      "BEGIN:VEVENT", "LOCATION:Mill\\, 2nd floor", "GEO:52.5;13.4", "END:VEVENT")
    let location = try #require(EKStructuredLocation(of: both))
    #expect(location.title == "Mill, 2nd floor")
    #expect(location.geoLocation?.coordinate.longitude == 13.4)
    #expect(location.radius == 0)
    let broken = try component("BEGIN:VEVENT", "LOCATION:Mill", "GEO:north", "END:VEVENT")
    #expect(EKStructuredLocation(of: broken)?.geoLocation == nil)
    let alone = try component("BEGIN:VEVENT", "GEO:52.5;13.4", "END:VEVENT")
    #expect(EKStructuredLocation(of: alone) == nil)
  }

  @Test("Writing the same location changes nothing")
  func unchanged() throws {
    for fixture in ["real-world/apple-structured-location.ics", "quirks/11-apple-location.ics"] {
      for event in try components(.event, in: fixture) {
        var copy = event
        EKStructuredLocation.Value.write(EKStructuredLocation(of: event)?.value, to: &copy)
        #expect(
          Serializer().bytes(of: copy) == Serializer().bytes(of: event), "\(fixture)")
      }
    }
  }

  @Test("A new radius keeps the address; a new title removes what belongs to the old place")
  func changes() throws {
    var event = try #require(
      try components(.event, in: "real-world/apple-structured-location.ics").first)
    let location = try #require(EKStructuredLocation(of: event))
    location.radius = 20
    EKStructuredLocation.Value.write(location.value, to: &event)
    #expect(event["X-APPLE-STRUCTURED-LOCATION"]?["X-APPLE-RADIUS"] == "20")
    #expect(event["X-APPLE-STRUCTURED-LOCATION"]?["X-ADDRESS"] != nil)
    #expect(event[.location]?.text == "Old Harbour\nPier 4, 23999 Seahaven, Germany")

    location.title = "New Harbour"
    EKStructuredLocation.Value.write(location.value, to: &event)
    #expect(event[.location]?.text == "New Harbour")
    #expect(event["X-APPLE-STRUCTURED-LOCATION"]?["X-ADDRESS"] == nil)
    #expect(event["X-APPLE-STRUCTURED-LOCATION"]?["X-TITLE"] == "New Harbour")
    #expect(EKStructuredLocation(of: event) == location)

    EKStructuredLocation.Value.write(EKStructuredLocation(title: "Home").value, to: &event)
    #expect(event[.location]?.text == "Home")
    #expect(event[.geo] == nil && event["X-APPLE-STRUCTURED-LOCATION"] == nil)
    #expect(event["X-APPLE-TRAVEL-START"] != nil)

    EKStructuredLocation.Value.write(nil, to: &event)
    #expect(event[.location] == nil)
    #expect(EKStructuredLocation(of: event) == nil)
  }

  @Test("A new location with a position is written in the forms of the RFC and of Apple")
  func new() throws {
    var event = try component("BEGIN:VEVENT", "SUMMARY:Lunch", "END:VEVENT")
    let location = EKStructuredLocation(title: "Café; \"Blue\"")
    location.geoLocation = CLLocation(latitude: 52.5, longitude: 13)
    EKStructuredLocation.Value.write(location.value, to: &event)
    #expect(event[.geo]?.rawValue == "52.5;13")
    #expect(event["X-APPLE-STRUCTURED-LOCATION"]?.rawValue == "geo:52.5,13")
    let reread = try CalendarStream(
      parsing: Array("BEGIN:VCALENDAR\r\n".utf8) + Serializer().bytes(of: event)
        + Array("END:VCALENDAR\r\n".utf8))
    let back = try #require(reread.calendars.first?.components.first)
    #expect(EKStructuredLocation(of: back) == location)
  }

  @Test("Locations are compared by value; a position that is not on the earth is none")
  func equality() throws {
    let location = EKStructuredLocation(title: "A")
    location.geoLocation = CLLocation(latitude: 91, longitude: 0)
    #expect(location == EKStructuredLocation(title: "A"))
    #expect(location.geoLocation?.coordinate.latitude == 91)
    let copy = try #require(location.copy() as? EKStructuredLocation)
    copy.title = nil
    #expect(copy != location)
    #expect(location.title == "A")
    #expect(location.hash == EKStructuredLocation(title: "A").hash)
  }

  @Test("Attendees have the address, name, reply, role and kind of the file")
  func attendees() throws {
    let event = Event(
      try component(
        "BEGIN:VEVENT",
        "ATTENDEE;CN=Ann Lee;ROLE=OPT-PARTICIPANT;PARTSTAT=ACCEPTED:mailto:ann@example.org",
        "ATTENDEE;CUTYPE=ROOM;PARTSTAT=TENTATIVE;ROLE=NON-PARTICIPANT:mailto:room@example.org",
        "ATTENDEE;CUTYPE=X-ROBOT;ROLE=X-HELPER;PARTSTAT=X-MAYBE:invalid:no mail",
        "ATTENDEE;EMAIL=me@example.org:/principals/me/", "END:VEVENT"))
    let people = event.attendees.map {
      EKParticipant($0, users: [CalendarAddress("mailto:ME@example.org")])
    }
    #expect(people.map(\.name) == ["Ann Lee", nil, nil, nil])
    #expect(
      people.map(\.url.absoluteString) == [
        "mailto:ann@example.org", "mailto:room@example.org", "invalid:no%20mail",
        "/principals/me/",
      ])
    #expect(people.map(\.participantStatus) == [.accepted, .tentative, .unknown, .pending])
    #expect(people.map(\.participantRole) == [.optional, .nonParticipant, .unknown, .required])
    #expect(people.map(\.participantType) == [.person, .room, .unknown, .person])
    #expect(people.map(\.isCurrentUser) == [false, false, false, true])
    #expect(people.map(\.isNew) == [false, false, false, false])
    #expect(people[0] == EKParticipant(event.attendees[0], users: []))
    #expect(people[0] != people[1])
    #expect(!people[0].contactPredicate.evaluate(with: people[0]))
  }

  @Test("Every word of the RFC for attendees has its case")
  func words() {
    let statuses: [ParticipationStatus] = [
      .needsAction, .accepted, .declined, .tentative, .delegated, .completed, .inProcess,
    ]
    #expect(statuses.map { EKParticipantStatus($0).rawValue } == [1, 2, 3, 4, 5, 6, 7])
    let roles: [Role] = [.required, .optional, .chair, .nonParticipant]
    #expect(roles.map { EKParticipantRole($0).rawValue } == [1, 2, 3, 4])
    let types: [CalendarUserType] = [.individual, .room, .resource, .group]
    #expect(types.map { EKParticipantType($0).rawValue } == [1, 2, 3, 4])
  }

  @Test("An organizer who attends has the reply of the attendee; another one has none")
  func organizers() throws {
    let organizer = Organizer(CalendarAddress("mailto:Ann@example.org"))
    var attendee = Attendee(CalendarAddress("mailto:ann@example.org"), commonName: "Ann")
    attendee.participationStatus = .accepted
    let attending = EKParticipant(organizer, attendees: [attendee], users: [attendee.address])
    #expect(attending.name == "Ann")
    #expect(attending.participantStatus == .accepted)
    #expect(attending.participantRole == .required)
    #expect(attending.isCurrentUser)
    let absent = EKParticipant(organizer, attendees: [], users: [])
    #expect(absent.participantStatus == .unknown)
    #expect(absent.participantRole == .chair)
    #expect(absent.participantType == .person)
    #expect(!absent.isCurrentUser)
  }
}
