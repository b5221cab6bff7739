// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <stddef.h>
#include <stdint.h>

// A pull reader of XML with namespaces, over libxml2's: elements and text, and nothing else. There is
// no document type, hence there are no entities to expand and no files or addresses to fetch.

/// A document that is being read.
typedef struct cxml_reader cxml_reader;

/// The name of a case in Swift.
#define CXML_NAME(name) __attribute__((swift_name(name)))

/// What the reader has come to.
typedef enum __attribute__((enum_extensibility(closed))) {
  CXML_START CXML_NAME("start"),          ///< An element begins; it has a name.
  CXML_END CXML_NAME("end"),              ///< An element ends.
  CXML_TEXT CXML_NAME("text"),            ///< Text.
  CXML_FINISHED CXML_NAME("finished"),    ///< The document ended as it should.
  CXML_DOCTYPE CXML_NAME("documentType"), ///< There is a document type, which is refused.
  CXML_MALFORMED CXML_NAME("malformed"),  ///< This is not well-formed XML, or it is cut off.
} cxml_event;

/// Makes a reader of a copy of the bytes; null if memory is short or there are none.
cxml_reader *cxml_reader_make(const uint8_t *bytes, size_t count);

/// Frees a reader.
void cxml_reader_free(cxml_reader *reader);

/// Moves on. After anything but a start, an end or a text, the reader is of no more use.
cxml_event cxml_reader_next(cxml_reader *reader);

/// The local name of the element that begins; valid until the reader moves on.
const char *cxml_reader_local_name(cxml_reader *reader);

/// The namespace of the element that begins, empty if it has none; valid until the reader moves on.
const char *cxml_reader_namespace(cxml_reader *reader);

/// The number of the name and namespace of the element that begins, among those of the document so far,
/// from 0; -1 for a document that has more of them than are told apart.
int cxml_reader_name_number(cxml_reader *reader);

/// The value of the attribute `name` of the element that begins, null if it has none; valid until the
/// reader moves on.
const char *cxml_reader_name_attribute(cxml_reader *reader);

/// The text, in UTF-8; valid until the reader moves on.
const char *cxml_reader_text(cxml_reader *reader);

/// The line that the reader has come to, from 1.
int cxml_reader_line(cxml_reader *reader);
