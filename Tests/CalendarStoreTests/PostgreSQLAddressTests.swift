// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import Testing

/// Which addresses of databases are accepted.
@Suite struct PostgreSQLAddressTests {
  @Test(arguments: [
    "postgresql://db.example.org/calendars",
    "postgres://epact@db.example.org:5433/calendars?sslmode=verify-full&sslrootcert=/etc/db.pem",
    "postgresql:///calendars", "postgresql:///calendars?host=/run/postgresql&sslmode=disable",
    "postgresql://127.0.0.1/calendars?sslmode=disable", "postgresql://[::1]:5432/calendars",
    "postgresql://localhost/calendars", "postgresql://%2Frun%2Fpostgresql/calendars?sslmode=allow",
    "postgresql://a.example.org,b.example.org/calendars?target_session_attrs=read-write",
  ])
  func accepted(text: String) throws {
    #expect(try PostgreSQLAddress(text).description == text)
  }

  @Test(arguments: [
    ("mysql://db/x", "begins with postgresql://"),
    ("postgresql://db.example.org/", "names no database"),
    ("postgresql://ada:S3CRET@db.example.org/x", "contains a password"),
    ("postgresql://ada:@db.example.org/x", "contains a password"),
    ("postgresql://db.example.org/x?password=S3CRET", "contains a password"),
    ("postgresql://db.example.org/x?sslmode=require", "sslmode=require does not prove"),
    ("postgresql://db.example.org/x?sslmode=verify-ca", "sslmode=verify-ca does not prove"),
    ("postgresql://127.0.0.1.example.org/x?sslmode=prefer", "does not prove"),
    ("postgresql://localhost,db.example.org/x?sslmode=disable", "does not prove"),
    ("postgresql:///x?host=/run&host=db.example.org&sslmode=disable", "'host' twice"),
    ("postgresql://localhost/x?host=db.example.org&sslmode=disable", "names its host twice"),
    ("postgresql://localhost/x?hostaddr=192.0.2.1", "no parameter 'hostaddr'"),
    ("postgresql://localhost/x?options=-c%20row_security%3Doff", "no parameter 'options'"),
    ("postgresql://localhost/x?service=a", "no parameter 'service'"),
    ("postgresql://localhost/%zz", "percent sign"), ("postgresql://localhost:x/y", "not a number"),
    ("postgresql://localhost/x?connect_timeout=0", "connect_timeout"),
  ])
  func refused(text: String, part: String) throws {
    let error = try #require(throws: PostgreSQLAddress.Problem.self) {
      _ = try PostgreSQLAddress(text)
    }
    #expect(error.description.contains(part))
    #expect(!error.description.contains("S3CRET"))
  }

  @Test(arguments: [
    ("postgresql://db.example.org/x", "verify-full"),
    ("postgresql://db.example.org/x?sslmode=verify-full", "verify-full"),
    ("postgresql://localhost,db.example.org/x", "verify-full"),
    ("postgresql://localhost/x", "prefer"), ("postgresql:///x?host=/run", "prefer"),
    ("postgresql://127.0.0.1/x?sslmode=disable", "disable"),
  ])
  func encryption(text: String, mode: String) throws {
    #expect(try PostgreSQLAddress(text).parameters["sslmode"] == mode)
  }
}
