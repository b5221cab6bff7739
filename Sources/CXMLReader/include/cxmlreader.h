// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <stddef.h>
#include <stdint.h>

// A pull reader of XML with namespaces over libxml2, for elements and text only. Document types are
// rejected, so that no entity is expanded and no file or address is fetched.

/// A reader of a document.
typedef struct cxml_reader cxml_reader;

/// The name of a case in Swift.
#define CXML_NAME(name) __attribute__((swift_name(name)))

/// An event of the reader.
typedef enum __attribute__((enum_extensibility(closed))) {
  CXML_START CXML_NAME("start"),          ///< An element begins; it has a name.
  CXML_END CXML_NAME("end"),              ///< An element ends.
  CXML_TEXT CXML_NAME("text"),            ///< Text.
  CXML_FINISHED CXML_NAME("finished"),    ///< The document is complete.
  CXML_DOCTYPE CXML_NAME("documentType"), ///< A document type, which is rejected.
  CXML_MALFORMED CXML_NAME("malformed"),  ///< The document is not well-formed, or truncated.
} cxml_event;

/// Creates a reader of a copy of the bytes; null if memory is short or there are no bytes.
cxml_reader *cxml_reader_make(const uint8_t *bytes, size_t count);

/// Frees a reader.
void cxml_reader_free(cxml_reader *reader);

/// Reads the next event. Only a start, an end or a text can be followed by another event.
cxml_event cxml_reader_next(cxml_reader *reader);

/// The local name of the element that begins; valid until the reader moves on.
const char *cxml_reader_local_name(cxml_reader *reader);

/// The namespace of the element that begins, empty if it has none; valid until the reader moves on.
const char *cxml_reader_namespace(cxml_reader *reader);

/// The number of the element's name and namespace among the distinct ones of the document so far, from
/// 0; -1 if the document has too many.
int cxml_reader_name_number(cxml_reader *reader);

/// The value of the attribute `name` of the element that begins, null if it has none; valid until the
/// reader moves on.
const char *cxml_reader_name_attribute(cxml_reader *reader);

/// The text, in UTF-8; valid until the reader moves on.
const char *cxml_reader_text(cxml_reader *reader);

/// The current line, from 1.
int cxml_reader_line(cxml_reader *reader);
