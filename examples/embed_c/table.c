/* SPDX-License-Identifier: Apache-2.0
 *
 * The columns region, size and status (text) and value (whole numbers) by Arrow's C stream interface.
 * Everything that is handed over is constant, so that there is nothing to free: `release` marks a
 * struct as released, as the interface asks. A program that allocates frees there what it has.
 */
#include "table.h"

#include <stddef.h>
#include <string.h>

enum { ROWS = 9, COLUMNS = 4 };

/* All texts of a column one after the other, and where each begins. */
static const char regions[] = "NNNSSSAllAllAll";
static const int32_t region_at[ROWS + 1] = {0, 1, 2, 3, 4, 5, 6, 9, 12, 15};
static const char sizes[] = "abAllabAllabAll";
static const int32_t size_at[ROWS + 1] = {0, 1, 2, 5, 6, 7, 10, 11, 12, 15};
static const char statuses[] = "uffffffff"; /* u: unsafe, f: free */
static const int32_t status_at[ROWS + 1] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
static const int64_t values[ROWS] = {11, 22, 33, 31, 44, 75, 42, 66, 108};

static const void* region_buffers[] = {NULL, region_at, regions};
static const void* size_buffers[] = {NULL, size_at, sizes};
static const void* status_buffers[] = {NULL, status_at, statuses};
static const void* value_buffers[] = {NULL, values};
static const void* row_buffers[] = {NULL}; /* no row is null */

static const char* const names[COLUMNS] = {"region", "size", "status", "value"};
static const char* const formats[COLUMNS] = {"u", "u", "u", "l"};
static const void** const buffers[COLUMNS] = {region_buffers, size_buffers, status_buffers,
                                              value_buffers};

static struct ArrowSchema column_schemas[COLUMNS];
static struct ArrowSchema* schema_list[COLUMNS];
static struct ArrowArray column_arrays[COLUMNS];
static struct ArrowArray* array_list[COLUMNS];
static int batches_left;

static void release_schema(struct ArrowSchema* schema) {
  int64_t c;
  for (c = 0; c < schema->n_children; ++c) {
    if (schema->children[c]->release != NULL)
      schema->children[c]->release(schema->children[c]);
  }
  schema->release = NULL;
}

static void release_array(struct ArrowArray* array) {
  int64_t c;
  for (c = 0; c < array->n_children; ++c) {
    if (array->children[c]->release != NULL)
      array->children[c]->release(array->children[c]);
  }
  array->release = NULL;
}

static int get_schema(struct ArrowArrayStream* stream, struct ArrowSchema* out) {
  int c;
  (void)stream;
  for (c = 0; c < COLUMNS; ++c) {
    memset(&column_schemas[c], 0, sizeof(struct ArrowSchema));
    column_schemas[c].format = formats[c];
    column_schemas[c].name = names[c];
    column_schemas[c].release = release_schema;
    schema_list[c] = &column_schemas[c];
  }
  memset(out, 0, sizeof(struct ArrowSchema));
  out->format = "+s"; /* rows of columns */
  out->name = "";
  out->n_children = COLUMNS;
  out->children = schema_list;
  out->release = release_schema;
  return 0;
}

static int get_next(struct ArrowArrayStream* stream, struct ArrowArray* out) {
  int c;
  (void)stream;
  memset(out, 0, sizeof(struct ArrowArray));
  if (batches_left == 0)
    return 0; /* the end is an array without `release` */
  batches_left = 0;
  for (c = 0; c < COLUMNS; ++c) {
    memset(&column_arrays[c], 0, sizeof(struct ArrowArray));
    column_arrays[c].length = ROWS;
    column_arrays[c].n_buffers = strcmp(formats[c], "u") == 0 ? 3 : 2;
    column_arrays[c].buffers = buffers[c];
    column_arrays[c].release = release_array;
    array_list[c] = &column_arrays[c];
  }
  out->length = ROWS;
  out->n_buffers = 1;
  out->buffers = row_buffers;
  out->n_children = COLUMNS;
  out->children = array_list;
  out->release = release_array;
  return 0;
}

static const char* get_last_error(struct ArrowArrayStream* stream) {
  (void)stream;
  return NULL;
}

static void release_stream(struct ArrowArrayStream* stream) {
  stream->release = NULL;
}

void make_table(struct ArrowArrayStream* stream) {
  batches_left = 1;
  stream->get_schema = get_schema;
  stream->get_next = get_next;
  stream->get_last_error = get_last_error;
  stream->release = release_stream;
  stream->private_data = NULL;
}
