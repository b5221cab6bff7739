// SPDX-License-Identifier: Apache-2.0

/// The Windows names of time zones, and the corresponding zones of the tz database.
///
/// Outlook and Exchange write these names or their Windows display names as TZID. The zones are the
/// worldwide ones of `windowsZones.xml` in CLDR 46 and later. Rows for names that Windows has
/// removed, and display names of current and earlier versions are added.
///
/// ICU has the same table, but that of a stable distribution is years old: there `Central Asia
/// Standard Time` is Almaty, which left that time in 2024.
public enum WindowsZoneNames {
  /// The worldwide zone for a Windows name.
  ///
  /// - Parameter name: The name, such as `W. Europe Standard Time`, in any case.
  /// - Returns: The name of the zone, which may be an old one (`Asia/Calcutta`); nil if Windows has
  ///   no such time zone.
  public static func zone(named name: String) -> String? { table.zones[name.lowercased()] }

  /// The Windows name for a display name without its offset.
  static func name(shownAs text: String) -> String? { table.names[folded(text)] }

  /// A name in the form used for comparison: in lower case, with normalized "and" and separators.
  static func folded(_ text: String) -> String {
    let words = text.lowercased().replacing("&amp;", with: "&").replacing("&", with: " and ")
      .replacing(" / ", with: ", ").replacing(";", with: ", ").replacing(" :", with: ":")
      .replacing("’", with: "'")
    return words.split { $0 == " " || $0 == "\u{A0}" }.joined(separator: " ")
  }

  /// The zones by name, and the names by display name.
  private struct Table {
    var zones: [String: String] = [:]
    var names: [String: String] = [:]

    init(_ text: String) {
      var row: [Substring] = []
      for line in text.split(separator: "\n") {
        let fields = line.split(separator: "|")
        // A line with a leading space continues the previous row.
        if line.hasPrefix(" ") {
          row += fields.dropFirst()
        } else {
          add(row)
          row = fields
        }
      }
      add(row)
    }

    private mutating func add(_ row: [Substring]) {
      guard row.count > 1 else { return }
      let name = String(row[0])
      zones[name.lowercased()] = String(row[1])
      for shown in row.dropFirst(2) { names[WindowsZoneNames.folded(String(shown))] = name }
    }
  }

  private static let table = Table(rows)

  // The zones of the names below are data of the Unicode Consortium, under this licence:
  //
  // UNICODE LICENSE V3
  //
  // COPYRIGHT AND PERMISSION NOTICE
  //
  // Copyright © 1991-2025 Unicode, Inc.
  //
  // NOTICE TO USER: Carefully read the following legal agreement. BY DOWNLOADING, INSTALLING,
  // COPYING OR OTHERWISE USING DATA FILES, AND/OR SOFTWARE, YOU UNEQUIVOCALLY ACCEPT, AND AGREE TO
  // BE BOUND BY, ALL OF THE TERMS AND CONDITIONS OF THIS AGREEMENT. IF YOU DO NOT AGREE, DO NOT
  // DOWNLOAD, INSTALL, COPY, DISTRIBUTE OR USE THE DATA FILES OR SOFTWARE.
  //
  // Permission is hereby granted, free of charge, to any person obtaining a copy of data files and
  // any associated documentation (the "Data Files") or software and any associated documentation
  // (the "Software") to deal in the Data Files or Software without restriction, including without
  // limitation the rights to use, copy, modify, merge, publish, distribute, and/or sell copies of
  // the Data Files or Software, and to permit persons to whom the Data Files or Software are
  // furnished to do so, provided that either (a) this copyright and permission notice appear with
  // all copies of the Data Files or Software, or (b) this copyright and permission notice appear in
  // associated Documentation.
  //
  // THE DATA FILES AND SOFTWARE ARE PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
  // IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A
  // PARTICULAR PURPOSE AND NONINFRINGEMENT OF THIRD PARTY RIGHTS.
  //
  // IN NO EVENT SHALL THE COPYRIGHT HOLDER OR HOLDERS INCLUDED IN THIS NOTICE BE LIABLE FOR ANY
  // CLAIM, OR ANY SPECIAL INDIRECT OR CONSEQUENTIAL DAMAGES, OR ANY DAMAGES WHATSOEVER RESULTING
  // FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER
  // TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THE DATA FILES
  // OR SOFTWARE.
  //
  // Except as contained in this notice, the name of a copyright holder shall not be used in
  // advertising or otherwise to promote the sale, use or other dealings in these Data Files or
  // Software without prior written authorization of the copyright holder.

  /// One row per name: the name, its zone, and its display names.
  private static let rows = """
    Afghanistan Standard Time|Asia/Kabul|Kabul
    Alaskan Standard Time|America/Anchorage|Alaska
    Alberta Standard Time|America/Edmonton|Alberta
    Aleutian Standard Time|America/Adak|Aleutian Islands
    Altai Standard Time|Asia/Barnaul|Barnaul, Gorno-Altaysk
    Arab Standard Time|Asia/Riyadh|Kuwait, Riyadh
    Arabian Standard Time|Asia/Dubai|Abu Dhabi, Muscat
    Arabic Standard Time|Asia/Baghdad|Baghdad
    Argentina Standard Time|America/Buenos_Aires|City of Buenos Aires|Buenos Aires, Georgetown
    Armenian Standard Time|Asia/Yerevan
    Astrakhan Standard Time|Europe/Astrakhan|Astrakhan, Ulyanovsk
    Atlantic Standard Time|America/Halifax|Atlantic Time (Canada)|Atlantic Time
    AUS Central Standard Time|Australia/Darwin|Darwin
    Aus Central W. Standard Time|Australia/Eucla|Eucla
    AUS Eastern Standard Time|Australia/Sydney|Canberra, Melbourne, Sydney
    Azerbaijan Standard Time|Asia/Baku|Baku
    Azores Standard Time|Atlantic/Azores|Azores
    Bahia Standard Time|America/Bahia|Salvador
    Bangladesh Standard Time|Asia/Dhaka|Dhaka|Astana, Dhaka
    Belarus Standard Time|Europe/Minsk|Minsk
    Bougainville Standard Time|Pacific/Bougainville|Bougainville Island
    British Columbia Standard Time|America/Vancouver|British Columbia
    Canada Central Standard Time|America/Regina|Saskatchewan
    Cape Verde Standard Time|Atlantic/Cape_Verde|Cabo Verde Is.|Cape Verde Is.|Cabo Verde Islands
      |Cape Verde Islands
    Caucasus Standard Time|Asia/Yerevan|Yerevan|Baku, Tbilisi, Yerevan
    Cen. Australia Standard Time|Australia/Adelaide|Adelaide
    Central America Standard Time|America/Guatemala|Central America
    Central Asia Standard Time|Asia/Bishkek|Bishkek
    Central Brazilian Standard Time|America/Cuiaba|Cuiaba
    Central Europe Standard Time|Europe/Budapest|Belgrade, Bratislava, Budapest, Ljubljana, Prague
    Central European Standard Time|Europe/Warsaw|Sarajevo, Skopje, Warsaw, Zagreb
      |Sarajevo, Skopje, Sofija, Vilnius, Warsaw, Zagreb
    Central Pacific Standard Time|Pacific/Guadalcanal|Solomon Is., New Caledonia
      |Solomon Islands, New Caledonia|Magadan, Solomon Is., New Caledonia
    Central Standard Time|America/Chicago|Central Time (US & Canada)|Central Time
    Central Standard Time (Mexico)|America/Mexico_City|Guadalajara, Mexico City, Monterrey
      |Mexico City, Tegucigalpa
    Chatham Islands Standard Time|Pacific/Chatham|Chatham Islands
    China Standard Time|Asia/Shanghai|Beijing, Chongqing, Hong Kong, Urumqi
      |Beijing, Chongqing, Hong Kong SAR, Urumqi
    Cuba Standard Time|America/Havana|Havana
    Dateline Standard Time|Etc/GMT+12|International Date Line West|Eniwetok, Kwajalein
    E. Africa Standard Time|Africa/Nairobi|Nairobi
    E. Australia Standard Time|Australia/Brisbane|Brisbane
    E. Europe Standard Time|Europe/Chisinau|Chisinau|Eastern Europe
    E. South America Standard Time|America/Sao_Paulo|Brasilia
    Easter Island Standard Time|Pacific/Easter|Easter Island
    Eastern Standard Time|America/New_York|Eastern Time (US & Canada)|Eastern Time
    Eastern Standard Time (Mexico)|America/Cancun|Chetumal
    Egypt Standard Time|Africa/Cairo|Cairo
    Ekaterinburg Standard Time|Asia/Yekaterinburg|Ekaterinburg
    Fiji Standard Time|Pacific/Fiji|Fiji|Fiji, Kamchatka, Marshall Is.
      |Fiji Islands, Kamchatka, Marshall Islands
    FLE Standard Time|Europe/Kiev|Helsinki, Kyiv, Riga, Sofia, Tallinn, Vilnius
      |Helsinki, Riga, Tallinn
    Georgian Standard Time|Asia/Tbilisi|Tbilisi
    GMT Standard Time|Europe/London|Dublin, Edinburgh, Lisbon, London
      |Greenwich Mean Time: Dublin, Edinburgh, Lisbon, London
    Greenland Standard Time|America/Godthab|Greenland
    Greenwich Standard Time|Atlantic/Reykjavik|Monrovia, Reykjavik|Casablanca, Monrovia
      |Casablanca, Monrovia, Reykjavik
    GTB Standard Time|Europe/Bucharest|Athens, Bucharest|Athens, Bucharest, Istanbul
      |Athens, Istanbul, Minsk
    Haiti Standard Time|America/Port-au-Prince|Haiti
    Hawaiian Standard Time|Pacific/Honolulu|Hawaii
    India Standard Time|Asia/Calcutta|Chennai, Kolkata, Mumbai, New Delhi
      |Calcutta, Chennai, Mumbai, New Delhi|Bombay, Calcutta, Madras, New Delhi
    Iran Standard Time|Asia/Tehran|Tehran
    Israel Standard Time|Asia/Jerusalem|Jerusalem
    Jordan Standard Time|Asia/Amman|Amman
    Kaliningrad Standard Time|Europe/Kaliningrad|Kaliningrad|Kaliningrad, Minsk
    Kamchatka Standard Time|Asia/Kamchatka|Petropavlovsk-Kamchatsky
    Korea Standard Time|Asia/Seoul|Seoul
    Libya Standard Time|Africa/Tripoli|Tripoli
    Line Islands Standard Time|Pacific/Kiritimati|Kiritimati Island
    Lord Howe Standard Time|Australia/Lord_Howe|Lord Howe Island
    Magadan Standard Time|Asia/Magadan|Magadan
    Magallanes Standard Time|America/Punta_Arenas|Punta Arenas
    Manitoba Standard Time|America/Winnipeg|Manitoba
    Marquesas Standard Time|Pacific/Marquesas|Marquesas Islands
    Mauritius Standard Time|Indian/Mauritius|Port Louis
    Mexico Standard Time|America/Mexico_City
    Mexico Standard Time 2|America/Mazatlan
    Mid-Atlantic Standard Time|Etc/GMT+2|Mid-Atlantic
    Middle East Standard Time|Asia/Beirut|Beirut
    Montevideo Standard Time|America/Montevideo|Montevideo
    Morocco Standard Time|Africa/Casablanca|Casablanca
    Mountain Standard Time|America/Denver|Mountain Time (US & Canada)|Mountain Time
    Mountain Standard Time (Mexico)|America/Mazatlan|La Paz, Mazatlan|Chihuahua, La Paz, Mazatlan
    Myanmar Standard Time|Asia/Rangoon|Yangon (Rangoon)|Rangoon
    N. Central Asia Standard Time|Asia/Novosibirsk|Novosibirsk|Almaty, Novosibirsk
    Namibia Standard Time|Africa/Windhoek|Windhoek
    Nepal Standard Time|Asia/Katmandu|Kathmandu
    New Zealand Standard Time|Pacific/Auckland|Auckland, Wellington
    Newfoundland Standard Time|America/St_Johns|Newfoundland
    Norfolk Standard Time|Pacific/Norfolk|Norfolk Island
    North Asia East Standard Time|Asia/Irkutsk|Irkutsk|Irkutsk, Ulaan Bataar
    North Asia Standard Time|Asia/Krasnoyarsk|Krasnoyarsk
    North Korea Standard Time|Asia/Pyongyang|Pyongyang
    Omsk Standard Time|Asia/Omsk|Omsk
    Pacific SA Standard Time|America/Santiago|Santiago
    Pacific Standard Time|America/Los_Angeles|Pacific Time (US & Canada)
      |Pacific Time (US & Canada), Tijuana|Pacific Time
    Pacific Standard Time (Mexico)|America/Tijuana|Baja California|Tijuana, Baja California
    Pakistan Standard Time|Asia/Karachi|Islamabad, Karachi|Islamabad, Karachi, Tashkent
    Paraguay Standard Time|America/Asuncion|Asuncion
    Qyzylorda Standard Time|Asia/Qyzylorda|Qyzylorda
    Romance Standard Time|Europe/Paris|Brussels, Copenhagen, Madrid, Paris
    Russia Time Zone 10|Asia/Srednekolymsk|Chokurdakh
    Russia Time Zone 11|Asia/Kamchatka|Anadyr, Petropavlovsk-Kamchatsky
    Russia Time Zone 3|Europe/Samara|Izhevsk, Samara
    Russian Standard Time|Europe/Moscow|Moscow, St. Petersburg|Moscow, St. Petersburg, Volgograd
    SA Eastern Standard Time|America/Cayenne|Cayenne, Fortaleza
    SA Pacific Standard Time|America/Bogota|Bogota, Lima, Quito, Rio Branco|Bogota, Lima, Quito
    SA Western Standard Time|America/La_Paz|Georgetown, La Paz, Manaus, San Juan
      |Georgetown, La Paz, San Juan|Caracas, La Paz
    Saint Pierre Standard Time|America/Miquelon|Saint Pierre and Miquelon
    Sakhalin Standard Time|Asia/Sakhalin|Sakhalin
    Samoa Standard Time|Pacific/Apia|Samoa
    Sao Tome Standard Time|Africa/Sao_Tome|Sao Tome
    Saratov Standard Time|Europe/Saratov|Saratov
    SE Asia Standard Time|Asia/Bangkok|Bangkok, Hanoi, Jakarta
    Singapore Standard Time|Asia/Singapore|Kuala Lumpur, Singapore
    South Africa Standard Time|Africa/Johannesburg|Harare, Pretoria
    South Sudan Standard Time|Africa/Juba|Juba
    Sri Lanka Standard Time|Asia/Colombo|Sri Jayawardenepura|Sri Jayawardenapura
    Sudan Standard Time|Africa/Khartoum|Khartoum
    Syria Standard Time|Asia/Damascus|Damascus
    Taipei Standard Time|Asia/Taipei|Taipei
    Tasmania Standard Time|Australia/Hobart|Hobart
    Tocantins Standard Time|America/Araguaina|Araguaina
    Tokyo Standard Time|Asia/Tokyo|Osaka, Sapporo, Tokyo
    Tomsk Standard Time|Asia/Tomsk|Tomsk
    Tonga Standard Time|Pacific/Tongatapu|Nuku'alofa
    Transbaikal Standard Time|Asia/Chita|Chita
    Turkey Standard Time|Europe/Istanbul|Istanbul
    Turks And Caicos Standard Time|America/Grand_Turk|Turks and Caicos
    Ulaanbaatar Standard Time|Asia/Ulaanbaatar|Ulaanbaatar
    US Eastern Standard Time|America/Indianapolis|Indiana (East)
    US Mountain Standard Time|America/Phoenix|Arizona
    UTC|Etc/UTC|Coordinated Universal Time
    UTC+12|Etc/GMT-12|Coordinated Universal Time+12
    UTC+13|Etc/GMT-13|Coordinated Universal Time+13
    UTC-02|Etc/GMT+2|Coordinated Universal Time-02
    UTC-08|Etc/GMT+8|Coordinated Universal Time-08
    UTC-09|Etc/GMT+9|Coordinated Universal Time-09
    UTC-11|Etc/GMT+11|Coordinated Universal Time-11
    Venezuela Standard Time|America/Caracas|Caracas
    Vladivostok Standard Time|Asia/Vladivostok|Vladivostok
    Volgograd Standard Time|Europe/Volgograd|Volgograd
    W. Australia Standard Time|Australia/Perth|Perth
    W. Central Africa Standard Time|Africa/Lagos|West Central Africa
    W. Europe Standard Time|Europe/Berlin|Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna
    W. Mongolia Standard Time|Asia/Hovd|Hovd
    West Asia Standard Time|Asia/Tashkent|Ashgabat, Tashkent
    West Bank Standard Time|Asia/Hebron|Gaza, Hebron
    West Pacific Standard Time|Pacific/Port_Moresby|Guam, Port Moresby
    Yakutsk Standard Time|Asia/Yakutsk|Yakutsk
    Yukon Standard Time|America/Whitehorse|Yukon
    """
}
