// SPDX-License-Identifier: Apache-2.0

import Epact
import Foundation
import TestSupport
import Testing

/// The hashes that vdirsyncer 0.21.0 computed of fixtures (`vdirsyncer.vobject.hash_item`).
struct VdirsyncerHashTests {
  @Test(arguments: [
    (
      "real-world/apple-raw-line-breaks.ics",
      "581962be8f038ed260dc4d9914964ca25b24ccf775d6682c84f53b6d19e5cd14"
    ),
    (
      "real-world/apple-reminders.ics",
      "5287789b4608c795101001e2f8d36004525196f330a53ef79f9e415e559c4411"
    ),
    (
      "real-world/apple-structured-location.ics",
      "e82563f970c739b16023a01096ee1ea9adb4c3f04f99192c9c08bdcaafb775e9"
    ),
    ("real-world/davx5.ics", "e3c5c4ef99d029558af3ef61a029f159e25615807985a8f2332b677071273d40"),
    (
      "real-world/evolution.ics", "ebe2759f51e85c6b7158c8dae4c90a7eca0cfb1a8f2feefb7f09778ab9a1b87b"
    ),
    (
      "real-world/exchange-customized-zone.ics",
      "5aab8e2654c65464e2816613d92a22e455da62c6a4a8f139e7ad0a96c003763e"
    ),
    (
      "real-world/exchange-feed.ics",
      "5c1ecd97c7c114ea9c3570b916e4ca9ebc3560ad1d3cbd6324aac6cfbcb7eba0"
    ),
    (
      "real-world/exchange-invitation.ics",
      "8755c55256dac850c8af1141ebc1d9fe036394b4ce086ad0ffb9e9d10f8ee69b"
    ),
    (
      "real-world/exported-twice.ics",
      "0a9c45da94be31179dfee4a4aa694dee813c34a2daaf61a5b6733ce3f2581fe8"
    ),
    (
      "quirks/03-until-of-other-type.ics",
      "6dbbc2fd86be2565be424fefddbb580b4330787826e86b533240d3306da5805f"
    ),
    (
      "quirks/18-global-names.ics",
      "6c516cdc7853f9c0c58b37a5b270610bdded4f49d971b5e9326365dae18f948c"
    ),
    (
      "invalid/alarm-without-action.ics",
      "59ef5c10cf02923223ff20d1f3023e2105a90ea71428eacc54c9a8202e83f4c5"
    ),
    (
      "invalid/calendar-without-end.ics",
      "e1ea09b769e25cdccf84c1e0cc282268e66d1ad888832a27b78ba8742dbd4583"
    ),
    (
      "invalid/component-without-name.ics",
      "9d8a85b8aa7de488b9e7fe535985c8b52a7d03c0873145669a0857386407d3d0"
    ),
    (
      "invalid/duration-negative.ics",
      "6d8f3a7bab08206bc92b0d6c0ebc1ac08f436b5e93666ec80d992b7e864198fc"
    ),
    (
      "invalid/event-without-uid.ics",
      "dd73b1ef983c3ce8ab6666f7fcd0a45b8b9de17df87fe4efff2056f51938b93e"
    ),
    (
      "invalid/line-blank-inside.ics",
      "a8d3071d0abcb751ba4281da572d2afcd4e17a730b07c318ea0445c9f4c2e85a"
    ),
  ])
  func isThatOfVdirsyncer(name: String, hash: String) throws {
    let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Fixtures")
    let bytes = [UInt8](try Data(contentsOf: fixtures.appending(path: name)))
    #expect(VdirsyncerHash.hash(bytes) == hash)
  }
}
