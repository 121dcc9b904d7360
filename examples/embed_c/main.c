/* SPDX-License-Identifier: Apache-2.0
 *
 * Two tables protected from C: a job in a file, and a table in memory that is handed over as an Arrow
 * C stream with its spec as JSON. Prints the verdict of each and what may be published.
 *
 *   embed_c examples/sales.toml
 */
#include <lacuna.h>

#include <stdio.h>

#include "table.h"

static const char* const spec =
    "{\"input\": {\"table\": {\"frame\": \"sizes\"}},\n"
    " \"columns\": {\"value\": \"value\", \"status\": \"status\"},\n"
    " \"dimension\": [{\"name\": \"region\", \"total\": \"All\"},\n"
    "                 {\"name\": \"size\", \"total\": \"All\"}]}\n";

/* Says what went wrong, without a confidential number, and frees it. */
static int failed(lacuna_error* error) {
  const char* where = lacuna_error_where(error);
  fprintf(stderr, "%s%s%s (%s)\n", where, *where ? ": " : "", lacuna_error_message(error),
          lacuna_error_code(error));
  lacuna_error_free(error);
  return 1;
}

/* Protects and prints. */
static int publish(const lacuna_problem* problem, const char* options) {
  lacuna_release* release = NULL;
  lacuna_error* error = NULL;
  const char* verdict = NULL;
  char* csv = NULL;
  int status;
  if (lacuna_problem_protect(problem, options, NULL, NULL, &release, &error) != LACUNA_OK)
    return failed(error);
  if (lacuna_release_verdict(release, &verdict, &error) != LACUNA_OK ||
      lacuna_release_published_file(release, ".csv", NULL, &csv, NULL, &error) != LACUNA_OK) {
    status = failed(error);
  } else {
    printf("%s\n%s", verdict, csv);
    status = 0;
  }
  lacuna_text_free(csv);
  lacuna_release_free(release);
  return status;
}

static int from_file(const char* path) {
  lacuna_problem* problem = NULL;
  lacuna_error* error = NULL;
  int status;
  if (lacuna_problem_read(path, NULL, NULL, &problem, &error) != LACUNA_OK)
    return failed(error);
  status = publish(problem, NULL);
  lacuna_problem_free(problem);
  return status;
}

static int from_memory(void) {
  struct ArrowArrayStream stream;
  lacuna_inputs* inputs = NULL;
  lacuna_problem* problem = NULL;
  lacuna_error* error = NULL;
  int status;
  make_table(&stream);
  if (lacuna_inputs_new(&inputs, &error) != LACUNA_OK) {
    stream.release(&stream);
    return failed(error);
  }
  if (lacuna_inputs_add_stream(inputs, "sizes", &stream, &error) != LACUNA_OK ||
      lacuna_problem_read_spec(spec, LACUNA_JSON, "sizes.json", inputs, NULL, &problem, &error) !=
          LACUNA_OK) {
    status = failed(error);
  } else {
    lacuna_inputs_free(inputs); /* the problem has all that it needs */
    inputs = NULL;
    status = publish(problem, "{\"method\": \"round\", \"base\": 5, \"threads\": 1}");
  }
  lacuna_problem_free(problem);
  lacuna_inputs_free(inputs);
  return status;
}

int main(int argc, char** argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: embed_c JOB.toml\n");
    return 1;
  }
  if (lacuna_abi_version() != LACUNA_ABI_VERSION) {
    fprintf(stderr, "liblacuna_c has another interface than its header\n");
    return 1;
  }
  return from_file(argv[1]) != 0 || from_memory() != 0;
}
