// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// A package that reads calendars and needs no database, no network and no system library.
let package = Package(
  name: "layers",
  dependencies: [
    .package(name: "epact", path: "../../..", traits: [])
  ],
  targets: [
    .executableTarget(
      name: "Layers",
      dependencies: [
        .product(name: "CalendarModel", package: "epact"),
        .product(name: "CivilTime", package: "epact"),
        .product(name: "EpactFoundation", package: "epact"),
        .product(name: "ICalSyntax", package: "epact"),
        .product(name: "Recurrence", package: "epact"),
      ])
  ]
)
