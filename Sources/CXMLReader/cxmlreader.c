// SPDX-License-Identifier: Apache-2.0

#include "cxmlreader.h"

#include <libxml/SAX2.h>
#include <libxml/dict.h>
#include <libxml/parser.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
  /// How many names of one document are told apart by number: answers have some ten.
  NAME_LIMIT = 32,
  /// How many different names a document may have. libxml2's table of names has a fixed number of
  /// rows, so that each new name costs more than the one before.
  DISTINCT_NAME_LIMIT = 20000,
};

/// The name of an element. Both strings are libxml2's own, one copy for each text.
typedef struct {
  const xmlChar *local;
  const xmlChar *space;
} element_name;

/// An event whose bytes are not read yet.
typedef struct {
  cxml_event kind;
  int line;
  element_name name;
  int declarations;
  /// The text, or the value of the attribute `name`, among the bytes of the reader.
  size_t start, count;
  bool has_value;
} queued_event;

struct cxml_reader {
  xmlParserCtxtPtr parser;
  /// The events of the bytes that were fed last, and how many of them were read.
  queued_event *events;
  size_t event_count, event_capacity, read_count;
  /// The texts and values of the events.
  char *bytes;
  size_t byte_count, byte_capacity;
  /// The event after the last of the queue.
  cxml_event rest;
  /// The names that came so far, in the order in which they came first.
  element_name names[NAME_LIMIT];
  int name_count;
};

static pthread_once_t initialized = PTHREAD_ONCE_INIT;

static void initialize(void) { xmlInitParser(); }

static void stop(cxml_reader *reader, cxml_event rest) {
  if (reader->rest == CXML_EMPTY) reader->rest = rest;
  xmlStopParser(reader->parser);
}

/// Appends an event; null if memory is short.
static queued_event *add(cxml_reader *reader, cxml_event kind) {
  if (reader->event_count == reader->event_capacity) {
    size_t capacity = reader->event_capacity ? 2 * reader->event_capacity : 256;
    queued_event *events = realloc(reader->events, capacity * sizeof *events);
    if (!events) {
      stop(reader, CXML_MALFORMED);
      return NULL;
    }
    reader->events = events;
    reader->event_capacity = capacity;
  }
  queued_event *event = &reader->events[reader->event_count++];
  *event = (queued_event){.kind = kind, .line = reader->parser->input->line};
  event->start = reader->byte_count;
  return event;
}

/// Appends bytes to those of the last event.
static void append(cxml_reader *reader, const xmlChar *bytes, size_t count) {
  if (reader->byte_capacity - reader->byte_count < count) {
    size_t capacity = 2 * (reader->byte_count + count);
    char *grown = realloc(reader->bytes, capacity);
    if (!grown) {
      stop(reader, CXML_MALFORMED);
      return;
    }
    reader->bytes = grown;
    reader->byte_capacity = capacity;
  }
  if (count > 0) memcpy(reader->bytes + reader->byte_count, bytes, count);
  reader->byte_count += count;
  reader->events[reader->event_count - 1].count += count;
}

static void on_start(void *context, const xmlChar *local, const xmlChar *prefix,
                     const xmlChar *space, int space_count, const xmlChar **spaces,
                     int attribute_count, int defaulted_count, const xmlChar **attributes) {
  (void)prefix, (void)spaces, (void)defaulted_count;
  cxml_reader *reader = context;
  queued_event *event = add(reader, CXML_START);
  if (!event) return;
  event->name = (element_name){local, space};
  event->declarations = space_count;
  for (int i = 0; i < attribute_count; i++) {
    // Local name, prefix, namespace, start and end of the value.
    const xmlChar **attribute = attributes + 5 * i;
    if (attribute[1] || strcmp((const char *)attribute[0], "name") != 0) continue;
    event->has_value = true;
    append(reader, attribute[3], (size_t)(attribute[4] - attribute[3]));
    return;
  }
}

static void on_end(void *context, const xmlChar *local, const xmlChar *prefix,
                   const xmlChar *space) {
  (void)local, (void)prefix, (void)space;
  add(context, CXML_END);
}

static void on_text(void *context, const xmlChar *text, int count) {
  cxml_reader *reader = context;
  bool continues =
      reader->event_count > 0 && reader->events[reader->event_count - 1].kind == CXML_TEXT;
  if (!continues && !add(reader, CXML_TEXT)) return;
  append(reader, text, (size_t)count);
}

/// A document type begins; its contents are not read yet.
static void on_document_type(void *context, const xmlChar *name, const xmlChar *external,
                             const xmlChar *system) {
  (void)name, (void)external, (void)system;
  stop(context, CXML_DOCTYPE);
}

static void on_reference(void *context, const xmlChar *name) {
  (void)name;
  stop(context, CXML_MALFORMED);
}

/// Takes a message, which libxml2 would print otherwise.
static void on_error(void *context, xmlErrorPtr error) { (void)context, (void)error; }

cxml_reader *cxml_reader_make(void) {
  pthread_once(&initialized, initialize);
  cxml_reader *made = calloc(1, sizeof *made);
  if (!made) return NULL;
  made->rest = CXML_EMPTY;
  xmlSAXHandler handler = {
      .initialized = XML_SAX2_MAGIC,
      .startElementNs = on_start,
      .endElementNs = on_end,
      .characters = on_text,
      .cdataBlock = on_text,
      .internalSubset = on_document_type,
      .reference = on_reference,
      .serror = (xmlStructuredErrorFunc)on_error,
  };
  made->parser = xmlCreatePushParserCtxt(&handler, made, NULL, 0, NULL);
  if (made->parser) {
    // The bytes are in UTF-8, whatever they declare.
    int options = XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_IGNORE_ENC;
    xmlCtxtUseOptions(made->parser, options);
    return made;
  }
  cxml_reader_free(made);
  return NULL;
}

void cxml_reader_free(cxml_reader *reader) {
  if (reader->parser) xmlFreeParserCtxt(reader->parser);
  free(reader->events);
  free(reader->bytes);
  free(reader);
}

void cxml_reader_feed(cxml_reader *reader, const uint8_t *bytes, size_t count, bool is_last) {
  reader->event_count = reader->read_count = reader->byte_count = 0;
  if (reader->rest != CXML_EMPTY) return;
  if (count > INT_MAX) {
    stop(reader, CXML_MALFORMED);
    return;
  }
  xmlParseChunk(reader->parser, (const char *)bytes, (int)count, is_last);
  if (reader->rest != CXML_EMPTY) return;
  if (!reader->parser->wellFormed) {
    reader->rest = CXML_MALFORMED;
  } else if (xmlDictSize(reader->parser->dict) > DISTINCT_NAME_LIMIT) {
    stop(reader, CXML_NAMES);
  } else if (is_last) {
    reader->rest = CXML_FINISHED;
  }
}

cxml_event cxml_reader_next(cxml_reader *reader) {
  if (reader->read_count == reader->event_count) return reader->rest;
  return reader->events[reader->read_count++].kind;
}

/// The event that was read last; null before the first.
static const queued_event *current(cxml_reader *reader) {
  return reader->read_count > 0 ? &reader->events[reader->read_count - 1] : NULL;
}

static const char *text_or_empty(const xmlChar *text) { return text ? (const char *)text : ""; }

const char *cxml_reader_local_name(cxml_reader *reader) {
  return text_or_empty(current(reader) ? current(reader)->name.local : NULL);
}

const char *cxml_reader_namespace(cxml_reader *reader) {
  return text_or_empty(current(reader) ? current(reader)->name.space : NULL);
}

int cxml_reader_name_number(cxml_reader *reader) {
  if (!current(reader)) return -1;
  element_name name = current(reader)->name;
  for (int i = 0; i < reader->name_count; i++) {
    if (reader->names[i].local == name.local && reader->names[i].space == name.space) return i;
  }
  if (reader->name_count == NAME_LIMIT) return -1;
  reader->names[reader->name_count] = name;
  return reader->name_count++;
}

int cxml_reader_declarations(cxml_reader *reader) {
  return current(reader) ? current(reader)->declarations : 0;
}

const char *cxml_reader_name_attribute(cxml_reader *reader, size_t *count) {
  const queued_event *event = current(reader);
  return event && event->has_value ? cxml_reader_text(reader, count) : NULL;
}

const char *cxml_reader_text(cxml_reader *reader, size_t *count) {
  const queued_event *event = current(reader);
  *count = event ? event->count : 0;
  return reader->bytes ? reader->bytes + (event ? event->start : 0) : "";
}

int cxml_reader_line(cxml_reader *reader) {
  if (reader->read_count < reader->event_count || reader->rest == CXML_EMPTY) {
    return current(reader) ? current(reader)->line : 1;
  }
  return reader->parser->input ? reader->parser->input->line : 1;
}
