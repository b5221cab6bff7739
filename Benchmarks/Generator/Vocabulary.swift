// SPDX-License-Identifier: Apache-2.0

/// The words in generated calendars, in several scripts.
enum Vocabulary {
  static let titles = [
    "Planning", "Standup", "Budget review", "Dentist", "Lunch with Ana", "1:1", "Retrospective",
    "Call: supplier; terms", "Sprint demo, part 2", "Elternabend in der Grundschule",
    "Zahnärztin", "Réunion de l'équipe", "Café avec Zoë", "Συνάντηση ομάδας", "会議", "打ち合わせ、第二回",
    "День рождения", "🎂 Birthday", "Train to Köln", "Flight LH 1234", "Yoga", "Chor",
    "C:\\Reports\\weekly", "Interview",
  ]

  static let sentences = [
    "Please read the minutes of the last meeting before you come.",
    "Agenda: budget, staff, rooms; anything else at the end.",
    "Join at https://meet.example.com/j/8675309?pwd=c2VjcmV0 or by phone, +49 30 901820.",
    "Bring the signed forms, two copies each.",
    "Wir treffen uns vor dem Haupteingang; bitte pünktlich sein.",
    "Le dossier complet se trouve dans le répertoire partagé.",
    "資料は前日までに共有フォルダーへ置いてください。",
    "Η αίθουσα έχει αλλάξει, δείτε το σχέδιο.",
    "The slides are in \\\\server\\share\\slides.",
    "Парковка за зданием.",
    "If you cannot make it, tell Zoë; she has the list 📋.",
    "The room has a projector, a whiteboard, and coffee.",
    "Notes:",
  ]

  static let places = [
    "Room 2", "Room 14, 3rd floor", "Café Central", "Online", "Hauptstraße 5, 10827 Berlin",
    "350 5th Ave, New York, NY 10118", "東京都千代田区丸の内1-9-1", "Salle B; rez-de-chaussée",
  ]

  static let persons = [
    "Ana Lima", "Zoë Müller", "Lovelace, Ada", "Grace Hopper", "Niklaus Wirth", "山田太郎",
    "Борис Иванов", "Jean-Luc Dupont", "Ödön Kovács", "K. Jones",
  ]

  static let categories = [
    "WORK", "PERSONAL", "TRAVEL", "FAMILY", "Größeres", "PROJECT X", "HEALTH", "Sport",
  ]

  /// Zones in both hemispheres, including one without transitions.
  static let zones = [
    Zone(
      name: "Europe/Berlin", standard: ("CET", "+0100", "10;BYDAY=-1SU", 2),
      daylight: ("CEST", "+0200", "3;BYDAY=-1SU", 2)),
    Zone(
      name: "America/New_York", standard: ("EST", "-0500", "11;BYDAY=1SU", 2),
      daylight: ("EDT", "-0400", "3;BYDAY=2SU", 2)),
    Zone(
      name: "Australia/Sydney", standard: ("AEST", "+1000", "4;BYDAY=1SU", 3),
      daylight: ("AEDT", "+1100", "10;BYDAY=1SU", 2)),
    Zone(
      name: "Europe/London", standard: ("GMT", "+0000", "10;BYDAY=-1SU", 2),
      daylight: ("BST", "+0100", "3;BYDAY=-1SU", 1)),
    Zone(name: "Asia/Tokyo", standard: ("JST", "+0900", "", 0), daylight: nil),
  ]

  /// A zone as a VTIMEZONE defines it, with the name, offset, date and hour of each transition.
  struct Zone {
    typealias Observance = (name: String, offset: String, rule: String, hour: Int)
    let name: String
    let standard: Observance
    let daylight: Observance?
  }
}
