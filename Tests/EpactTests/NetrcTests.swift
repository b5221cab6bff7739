// SPDX-License-Identifier: Apache-2.0

import Epact
import Testing

struct NetrcTests {
  struct Case: CustomTestStringConvertible {
    let text: String
    var host = "dav.example.org"
    var login = "ada"
    let password: String?
    var testDescription: String { text.debugDescription }
  }

  @Test(arguments: [
    Case(text: "machine dav.example.org login ada password s3cret", password: "s3cret"),
    Case(text: "machine dav.example.org\n\tlogin ada\n\tpassword s3cret\n", password: "s3cret"),
    Case(text: "machine DAV.example.org password s3cret login ada", password: "s3cret"),
    Case(
      text: "machine other.example.org login ada password no\n"
        + "machine dav.example.org login bob password no\n"
        + "machine dav.example.org login ada password s3cret", password: "s3cret"),
    Case(text: "machine dav.example.org password any", password: "any"),
    Case(text: "default login ada password s3cret", password: "s3cret"),
    Case(text: "default login bob password s3cret", password: nil),
    Case(text: "machine dav.example.org login ada", password: nil),
    Case(text: "", password: nil),
    Case(text: "password s3cret", password: nil),
    Case(text: "machine", password: nil),
    Case(
      text: "# machine dav.example.org login ada password no\n"
        + "machine dav.example.org login ada password s3#cret", password: "s3#cret"),
    Case(
      text: #"machine dav.example.org login ada password "a b\"c" "#, password: #"a b"c"#),
    Case(text: #"machine dav.example.org login ada password a\ b"#, password: "a b"),
    Case(text: #"machine dav.example.org login ada password "open"#, password: "open"),
    Case(
      text: "machine dav.example.org account x macdef init\nmachine evil\npassword no\n\n"
        + "machine dav.example.org login ada password s3cret", password: "s3cret"),
    Case(
      text: "machine sub.dav.example.org login ada password no", host: "dav.example.org",
      password: nil),
  ])
  func `The password is that of the host and the user`(_ test: Case) {
    let netrc = Netrc(parsing: test.text)
    #expect(netrc.password(host: test.host, login: test.login)?.revealed == test.password)
  }
}
