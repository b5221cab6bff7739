// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// EventKit is a part of Apple's systems, and a product of this package on Linux.
let eventKit = Target.Dependency.product(
  name: "EventKit", package: "epact", condition: .when(platforms: [.linux]))

// A package that does what the program does, without its command line.
let package = Package(
  name: "front",
  dependencies: [
    .package(name: "epact", path: "../../..", traits: ["Sync"])
  ],
  targets: [
    .executableTarget(
      name: "Front",
      dependencies: [
        .product(name: "CalendarStore", package: "epact"),
        .product(name: "CalendarSync", package: "epact"),
        .product(name: "Epact", package: "epact"),
      ]),
    // The example programs of the articles, which import nothing but EventKit.
    .executableTarget(name: "Agenda", dependencies: [eventKit]),
    .executableTarget(name: "Booking", dependencies: [eventKit]),
  ]
)
