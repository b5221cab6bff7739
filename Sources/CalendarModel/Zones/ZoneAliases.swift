// SPDX-License-Identifier: Apache-2.0

/// Display names of time zones that programs write to files, and numbers that denote zones.
///
/// ``WindowsZoneNames`` has the Windows names.
enum ZoneAliases {
  /// The zone for a display name, regardless of case; nil if unknown.
  static func zone(named name: String) -> String? { names[WindowsZoneNames.folded(name)] }

  /// The zone for a value of X-MICROSOFT-CDO-TZID; nil if it is unknown or ambiguous.
  ///
  /// For example, 2 is both Lisbon and Sarajevo, and 52 is not a zone.
  static func zone(ofMicrosoft number: Int) -> String? {
    microsoft.indices.contains(number) ? microsoft[number] : nil
  }

  /// Whether a name is an abbreviation of several zones, and therefore ambiguous.
  static func isAmbiguous(_ name: String) -> Bool { abbreviations.contains(name.lowercased()) }

  private static let names: [String: String] = [
    "eastern daylight time": "America/New_York", "central daylight time": "America/Chicago",
    "mountain daylight time": "America/Denver", "pacific daylight time": "America/Los_Angeles",
    "alaska time": "America/Anchorage", "hawaii time": "Pacific/Honolulu",
    "canada/east-saskatchewan": "America/Regina", "midway island, samoa": "Pacific/Midway",
    "buenos aires": "America/Argentina/Buenos_Aires", "astana": "Asia/Almaty",
    "nur-sultan": "Asia/Almaty", "saskatchewan": "America/Regina", "arizona": "America/Phoenix",
    "alaska": "America/Anchorage", "hawaii": "Pacific/Honolulu", "brasilia": "America/Sao_Paulo",
    "newfoundland": "America/St_Johns", "indiana (east)": "America/Indianapolis",
    "greenwich mean time": "UTC", "coordinated universal time": "UTC",
    "british summer time": "Europe/London", "western european time": "Europe/Lisbon",
    "western european standard time": "Europe/Lisbon",
    "western european summer time": "Europe/Lisbon",
    "western/central europe": "Europe/Berlin", "central european time": "Europe/Berlin",
    "central european summer time": "Europe/Berlin", "eastern european time": "Europe/Bucharest",
    "eastern european standard time": "Europe/Bucharest",
    "eastern european summer time": "Europe/Bucharest", "moscow standard time": "Europe/Moscow",
    "westeuropäische zeit": "Europe/London", "mitteleuropäische zeit": "Europe/Berlin",
    "mitteleuropäische sommerzeit": "Europe/Berlin", "osteuropäische zeit": "Europe/Bucharest",
    "heure d'europe centrale": "Europe/Paris",
    "hora estándar romance": "Europe/Madrid", "hora de europa central": "Europe/Madrid",
    "ora dell'europa centrale": "Europe/Rome",
    "midden-europese tijd": "Europe/Amsterdam", "centraleuropeisk tid": "Europe/Stockholm",
    "калининград": "Europe/Kaliningrad", "москва": "Europe/Moscow", "самара": "Europe/Samara",
    "екатеринбург": "Asia/Yekaterinburg", "омск": "Asia/Omsk", "новосибирск": "Asia/Novosibirsk",
    "красноярск": "Asia/Krasnoyarsk", "иркутск": "Asia/Irkutsk", "якутск": "Asia/Yakutsk",
    "владивосток": "Asia/Vladivostok", "магадан": "Asia/Magadan", "киев": "Europe/Kyiv",
    "київ": "Europe/Kyiv", "минск": "Europe/Minsk",
    "beijing, chongqing, hong kong, urumqi": "Asia/Shanghai", "beijing": "Asia/Shanghai",
    "chennai, kolkata, mumbai, new delhi": "Asia/Kolkata", "mumbai": "Asia/Kolkata",
    "osaka, sapporo, tokyo": "Asia/Tokyo", "abu dhabi, muscat": "Asia/Dubai",
    "islamabad, karachi": "Asia/Karachi", "wellington, auckland": "Pacific/Auckland",
  ]

  /// Abbreviations that several zones share, and that the database therefore does not have.
  private static let abbreviations: Set<String> = [
    "act", "adt", "akdt", "akst", "amt", "art", "ast", "bst", "cat", "cdt", "cest", "cst", "eat",
    "edt", "ect", "eest", "gst", "hadt", "hdt", "ist", "jst", "kst", "mdt", "mesz", "mez", "msk",
    "nst", "nzdt", "nzst", "pdt", "pst", "sast", "sst", "wat", "west", "wst",
  ]

  /// The zones by the numbers of Microsoft's CDO library.
  private static let microsoft: [String?] = [
    "UTC", "Europe/London", nil, "Europe/Paris", "Europe/Berlin", "Europe/Bucharest",
    "Europe/Prague", "Europe/Athens", "America/Sao_Paulo", "America/Halifax", "America/New_York",
    "America/Chicago", "America/Denver", "America/Los_Angeles", "America/Anchorage",
    "Pacific/Honolulu", "Pacific/Midway", "Pacific/Auckland", "Australia/Brisbane",
    "Australia/Adelaide", "Asia/Tokyo", "Asia/Singapore", "Asia/Bangkok", "Asia/Kolkata",
    "Asia/Dubai", "Asia/Tehran", "Asia/Baghdad", "Asia/Jerusalem", "America/St_Johns",
    "Atlantic/Azores", "America/Noronha", "Africa/Casablanca", "America/Argentina/Buenos_Aires",
    "America/La_Paz", "America/Indiana/Indianapolis", "America/Bogota", "America/Regina",
    "America/Mexico_City", "America/Phoenix", "Pacific/Kwajalein", "Pacific/Fiji", "Asia/Magadan",
    "Australia/Hobart", "Pacific/Guam", "Australia/Darwin", "Asia/Shanghai", "Asia/Almaty",
    "Asia/Karachi", "Asia/Kabul", "Africa/Cairo", "Africa/Harare", "Europe/Moscow", nil,
    "Atlantic/Cape_Verde", "Asia/Tbilisi", "America/Guatemala", "Africa/Nairobi",
    "Australia/Melbourne", "Asia/Yekaterinburg", "Europe/Helsinki", "America/Nuuk", "Asia/Yangon",
    "Asia/Kathmandu", "Asia/Irkutsk", "Asia/Krasnoyarsk", "America/Santiago", "Asia/Colombo",
    "Pacific/Tongatapu", "Asia/Vladivostok", "Africa/Lagos", "Asia/Yakutsk", "Asia/Dhaka",
    "Asia/Seoul", "Australia/Perth", "Asia/Riyadh", "Asia/Taipei", "Australia/Sydney",
  ]
}
