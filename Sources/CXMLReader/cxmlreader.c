// SPDX-License-Identifier: Apache-2.0

#include "cxmlreader.h"

#include <libxml/parser.h>
#include <libxml/xmlreader.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/// How many names of one document are told apart by number: answers have some ten.
enum { NAME_LIMIT = 32 };

/// The name of an element.
typedef struct {
  char *local;
  char *space;
} element_name;

struct cxml_reader {
  xmlTextReaderPtr reader;
  char *document;
  /// Whether an element without content has begun: libxml2 does not tell its end.
  bool owes_end;
  /// The value that was given last; freed with the next one.
  xmlChar *attribute;
  /// The names that came so far, in the order in which they came first.
  element_name names[NAME_LIMIT];
  int name_count;
};

static pthread_once_t initialized = PTHREAD_ONCE_INIT;

static void initialize(void) { xmlInitParser(); }

cxml_reader *cxml_reader_make(const uint8_t *bytes, size_t count) {
  pthread_once(&initialized, initialize);
  if (count == 0 || count > INT_MAX) return NULL;
  cxml_reader *made = calloc(1, sizeof *made);
  if (!made) return NULL;
  made->document = malloc(count);
  if (made->document) {
    memcpy(made->document, bytes, count);
    // HUGE lifts libxml2's limit of 10 MB a text; depth, text and size are limited by the caller.
    int options = XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_HUGE;
    made->reader = xmlReaderForMemory(made->document, (int)count, NULL, NULL, options);
  }
  if (made->reader) return made;
  cxml_reader_free(made);
  return NULL;
}

void cxml_reader_free(cxml_reader *reader) {
  if (reader->reader) xmlFreeTextReader(reader->reader);
  xmlFree(reader->attribute);
  for (int i = 0; i < reader->name_count; i++) {
    free(reader->names[i].local);
    free(reader->names[i].space);
  }
  free(reader->document);
  free(reader);
}

cxml_event cxml_reader_next(cxml_reader *reader) {
  if (reader->owes_end) {
    reader->owes_end = false;
    return CXML_END;
  }
  for (;;) {
    int result = xmlTextReaderRead(reader->reader);
    if (result == 0) return CXML_FINISHED;
    if (result != 1) return CXML_MALFORMED;
    switch (xmlTextReaderNodeType(reader->reader)) {
      case XML_READER_TYPE_ELEMENT:
        reader->owes_end = xmlTextReaderIsEmptyElement(reader->reader) == 1;
        return CXML_START;
      case XML_READER_TYPE_END_ELEMENT:
        return CXML_END;
      case XML_READER_TYPE_TEXT:
      case XML_READER_TYPE_CDATA:
      case XML_READER_TYPE_SIGNIFICANT_WHITESPACE:
        return CXML_TEXT;
      case XML_READER_TYPE_DOCUMENT_TYPE:
        return CXML_DOCTYPE;
      case XML_READER_TYPE_ENTITY_REFERENCE:
        return CXML_MALFORMED;
      default:
        break;  // Comments, processing instructions and white space between elements.
    }
  }
}

static const char *text_or_empty(const xmlChar *text) { return text ? (const char *)text : ""; }

const char *cxml_reader_local_name(cxml_reader *reader) {
  return text_or_empty(xmlTextReaderConstLocalName(reader->reader));
}

const char *cxml_reader_namespace(cxml_reader *reader) {
  return text_or_empty(xmlTextReaderConstNamespaceUri(reader->reader));
}

int cxml_reader_name_number(cxml_reader *reader) {
  const char *local = cxml_reader_local_name(reader);
  const char *space = cxml_reader_namespace(reader);
  for (int i = 0; i < reader->name_count; i++) {
    element_name *name = &reader->names[i];
    if (strcmp(name->local, local) == 0 && strcmp(name->space, space) == 0) return i;
  }
  if (reader->name_count == NAME_LIMIT) return -1;
  element_name added = {strdup(local), strdup(space)};
  if (!added.local || !added.space) {
    free(added.local);
    free(added.space);
    return -1;
  }
  reader->names[reader->name_count] = added;
  return reader->name_count++;
}

const char *cxml_reader_name_attribute(cxml_reader *reader) {
  if (xmlTextReaderHasAttributes(reader->reader) != 1) return NULL;
  xmlFree(reader->attribute);
  reader->attribute = xmlTextReaderGetAttribute(reader->reader, BAD_CAST "name");
  return (const char *)reader->attribute;
}

const char *cxml_reader_text(cxml_reader *reader) {
  return text_or_empty(xmlTextReaderConstValue(reader->reader));
}

int cxml_reader_line(cxml_reader *reader) {
  return xmlTextReaderGetParserLineNumber(reader->reader);
}
