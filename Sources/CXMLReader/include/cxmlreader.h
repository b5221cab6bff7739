// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A reader of XML with namespaces over libxml2's push parser, for elements and text only. Document
// types are rejected before their contents are read, so that no entity is expanded and no file or
// address is fetched.

/// A reader of a document.
typedef struct cxml_reader cxml_reader;

/// The name of a case in Swift.
#define CXML_NAME(name) __attribute__((swift_name(name)))

/// An event of the reader.
typedef enum __attribute__((enum_extensibility(closed))) {
  CXML_START CXML_NAME("start"),          ///< An element begins; it has a name.
  CXML_END CXML_NAME("end"),              ///< An element ends.
  CXML_TEXT CXML_NAME("text"),            ///< Text, or a part of it.
  CXML_EMPTY CXML_NAME("empty"),          ///< The next bytes are needed.
  CXML_FINISHED CXML_NAME("finished"),    ///< The document is complete.
  CXML_DOCTYPE CXML_NAME("documentType"), ///< A document type, which is rejected.
  CXML_NAMES CXML_NAME("names"),          ///< The document has too many different names.
  CXML_MALFORMED CXML_NAME("malformed"),  ///< The document is not well-formed, or truncated.
} cxml_event;

/// Creates a reader; null if memory is short.
cxml_reader *cxml_reader_make(void);

/// Frees a reader.
void cxml_reader_free(cxml_reader *reader);

/// Parses the next bytes of a document in UTF-8, whatever encoding it declares.
///
/// All events of the bytes before have been read. No bytes follow the last ones.
void cxml_reader_feed(cxml_reader *reader, const uint8_t *bytes, size_t count, bool is_last);

/// Reads the next event. Only a start, an end or a text can be followed by another event; the bytes
/// must be fed before the next event if the reader is empty.
cxml_event cxml_reader_next(cxml_reader *reader);

/// The local name of the element that begins; valid as long as the reader.
const char *cxml_reader_local_name(cxml_reader *reader);

/// The namespace of the element that begins, empty if it has none; valid as long as the reader.
const char *cxml_reader_namespace(cxml_reader *reader);

/// The number of the element's name and namespace among the distinct ones of the document so far, from
/// 0; -1 if the document has too many.
int cxml_reader_name_number(cxml_reader *reader);

/// The number of namespaces that the element that begins declares.
int cxml_reader_declarations(cxml_reader *reader);

/// The value of the attribute `name` of the element that begins, in UTF-8; null if it has none; valid
/// until the reader moves on.
const char *cxml_reader_name_attribute(cxml_reader *reader, size_t *count);

/// The text, in UTF-8; valid until the reader moves on.
const char *cxml_reader_text(cxml_reader *reader, size_t *count);

/// The line of the current event, from 1.
int cxml_reader_line(cxml_reader *reader);
