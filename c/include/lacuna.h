/* SPDX-License-Identifier: Apache-2.0
 *
 * Lacuna in C: tables are read, protected, audited and written by about forty functions, for C and
 * for every language that can call C. docs/c.md shows all of it by example. (C++ has an interface
 * of its own, <lacuna/lacuna.h>; this header may be included beside it.)
 *
 * Status.      Every function that can fail returns a lacuna_status, LACUNA_OK if all went well.
 * Its last argument is where an error goes, a lacuna_error*, or NULL if nobody wants it. It is set
 * to NULL first. No C++ exception ever leaves a function. Ownership.   A handle that a function
 * puts into **out is the caller's, who gives it back by the _free function of its type. So is every
 * text in char **out: lacuna_text_free(). Where a function fails, what it would have put there is
 * NULL. A `const char*` that is returned or put into const char **out lives as long as the handle
 * that was asked. What is passed in remains the caller's and may be freed after the call, except
 * that lacuna_inputs_add_stream() takes its stream over. Handles keep alive what they need of each
 * other: they may be freed in any order. To free NULL does nothing; to free a handle twice is not
 * allowed. Text.        UTF-8, ended by a NUL. Specs, options and descriptions are JSON. The names
 * and values of options are those of the command line without the dashes (docs/options.md):
 *              {"method": "round", "base": 5, "time-limit": 60}. NULL means no options.
 * Threads.     Problems, releases and audits never change: any thread may use them, at the same
 *              time. Inputs are for one call at a time. lacuna_run_cancel() may be called from any
 *              thread at any time.
 * Secrets.     lacuna_error_message() has no confidential number and may be logged or shown to
 *              anybody. lacuna_error_message_in_full() is for the office alone. Of a release, what
 *              the functions with `published` in their name give is for everyone; all else is for
 *              the office. Only what the audit has passed can be had as a release.
 * Growth.      Functions, statuses and keys of JSON are added and never changed within one number
 * of lacuna_abi_version(); structs begin with their size.
 */
#ifndef LACUNA_C_H
#define LACUNA_C_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define LACUNA_C_API __attribute__((visibility("default")))
#else
#define LACUNA_C_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Arrow's C data and C stream interface, as the specification gives them to be copied. */

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema** children;
  struct ArrowSchema* dictionary;
  void (*release)(struct ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void** buffers;
  struct ArrowArray** children;
  struct ArrowArray* dictionary;
  void (*release)(struct ArrowArray*);
  void* private_data;
};

#endif /* ARROW_C_DATA_INTERFACE */

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
  int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
  const char* (*get_last_error)(struct ArrowArrayStream*);
  void (*release)(struct ArrowArrayStream*);
  void* private_data;
};

#endif /* ARROW_C_STREAM_INTERFACE */

/* ---- versions */

/* The interface that this header describes, and the one that the library has. A program runs with
 * every library of the same number that is at least as new as its header. */
#define LACUNA_ABI_VERSION 1
LACUNA_C_API int32_t lacuna_abi_version(void);
LACUNA_C_API const char* lacuna_version(void); /* of the library: "1.2.3"; lives for ever */

/* ---- statuses and errors */

typedef int32_t lacuna_status;
enum {
  LACUNA_OK = 0,
  LACUNA_BAD_INPUT = 1,    /* data or a spec that cannot be used */
  LACUNA_BAD_OPTION = 2,   /* an option that does not exist, or a value that it cannot have */
  LACUNA_NOT_ADDITIVE = 3, /* sums of the table that do not hold */
  LACUNA_UNSUPPORTED = 4,  /* understood, and cannot be done */
  LACUNA_IO = 5,           /* a file that cannot be read or written */
  LACUNA_REFUSED = 6,      /* no release was found that the audit passes */
  LACUNA_NO_RESULT = 7,    /* a limit was reached before there was a complete result */
  LACUNA_CANCELLED = 8,    /* lacuna_run_cancel() came before there was a complete result */
  LACUNA_MISUSE = 9,       /* a NULL or a handle of another type, where one is needed */
  LACUNA_INTERNAL = 10     /* a fault of Lacuna itself, or no memory; please report it */
};

typedef struct lacuna_error lacuna_error;
typedef struct lacuna_inputs lacuna_inputs;
typedef struct lacuna_run lacuna_run;
typedef struct lacuna_problem lacuna_problem;
typedef struct lacuna_release lacuna_release;
typedef struct lacuna_audit lacuna_audit;
typedef struct lacuna_inference lacuna_inference;

/* These cannot fail: of NULL they say LACUNA_OK and "". */
LACUNA_C_API lacuna_status lacuna_error_status(const lacuna_error* error);
LACUNA_C_API const char* lacuna_error_code(
    const lacuna_error* error); /* a word that never changes */
LACUNA_C_API const char* lacuna_error_message(const lacuna_error* error);
LACUNA_C_API const char* lacuna_error_message_in_full(const lacuna_error* error); /* CONFIDENTIAL */
LACUNA_C_API const char* lacuna_error_where(
    const lacuna_error* error); /* "sales.csv:17:3"; or "" */
LACUNA_C_API const char* lacuna_error_path(
    const lacuna_error* error); /* "dimension[0].name"; or "" */
LACUNA_C_API void lacuna_error_free(lacuna_error* error);

LACUNA_C_API void lacuna_text_free(char* text);

/* ---- tables and texts in memory, by name */

LACUNA_C_API lacuna_status lacuna_inputs_new(lacuna_inputs** out, lacuna_error** error);
/* A spec names it as {"frame": "<name>"}. The stream is taken over, also where this fails: it is
 * empty afterwards (its `release` is NULL), and is released when nothing needs it any more. */
LACUNA_C_API lacuna_status lacuna_inputs_add_stream(lacuna_inputs* inputs,
                                                    const char* name,
                                                    struct ArrowArrayStream* stream,
                                                    lacuna_error** error);
/* Takes the place of a file of this name. The bytes are copied. */
LACUNA_C_API lacuna_status lacuna_inputs_add_text(
    lacuna_inputs* inputs, const char* name, const char* bytes, size_t size, lacuna_error** error);
LACUNA_C_API void lacuna_inputs_free(lacuna_inputs* inputs);

/* ---- calls that take time: how far they are, and to stop them */

typedef struct lacuna_progress {
  size_t size; /* of this struct, as the library knows it */
  const char* phase;
  double share;        /* of the whole, from 0 to 1 */
  double seconds;      /* since it began */
  double seconds_left; /* about; NaN if nobody knows */
  double incumbent;    /* best cost so far; NaN if none */
  double bound;        /* no release costs less; NaN if none */
} lacuna_progress;

/* Called on the thread that waits for the call, at most some twenty times a second. Not 0: stop.
 * What it is given lives until it returns. */
typedef int (*lacuna_progress_function)(const lacuna_progress* progress, void* user);

/* May be used for several calls, one after the other. Everywhere else NULL will do in its place. */
LACUNA_C_API lacuna_status lacuna_run_new(lacuna_run** out, lacuna_error** error);
LACUNA_C_API lacuna_status lacuna_run_on_progress(lacuna_run* run,
                                                  lacuna_progress_function function,
                                                  void* user,
                                                  lacuna_error** error);
/* Stops the call that has this run, and every later one. A search ends with the best that it has,
 * which is audited and may be released; without any the call fails with LACUNA_CANCELLED. */
LACUNA_C_API lacuna_status lacuna_run_cancel(lacuna_run* run, lacuna_error** error);
LACUNA_C_API void lacuna_run_free(lacuna_run* run);

/* ---- specs (the keys of a job, docs/options.md) and options */

enum { LACUNA_JSON = 0, LACUNA_TOML = 1 };

/* The same spec in the other form, or in the form of this library. */
LACUNA_C_API lacuna_status
lacuna_spec_convert(const char* text, int32_t from, int32_t to, char** out, lacuna_error** error);
/* The options of a command (protect, audit, verify, report, infer, write) as a JSON list. */
LACUNA_C_API lacuna_status lacuna_options(const char* command, char** json, lacuna_error** error);

/* ---- problems: a table with what must be protected */

/* A file: a job (.toml), a table (.csv, .arrow, .parquet), .jj or .json; or one of the inputs by
 * its name. `inputs` and `run` may be NULL. */
LACUNA_C_API lacuna_status lacuna_problem_read(const char* path,
                                               const lacuna_inputs* inputs,
                                               lacuna_run* run,
                                               lacuna_problem** out,
                                               lacuna_error** error);
/* A spec as text. `name` is what titles and places of errors are made of; files that the spec names
 * begin at its folder ("data/sales.json": data). */
LACUNA_C_API lacuna_status lacuna_problem_read_spec(const char* text,
                                                    int32_t form,
                                                    const char* name,
                                                    const lacuna_inputs* inputs,
                                                    lacuna_run* run,
                                                    lacuna_problem** out,
                                                    lacuna_error** error);
/* Counts, dimensions, tables and notes as JSON; no value. */
LACUNA_C_API lacuna_status lacuna_problem_describe(const lacuna_problem* problem,
                                                   char** json,
                                                   lacuna_error** error);
LACUNA_C_API void lacuna_problem_free(lacuna_problem* problem);

/* ---- what is done with them; files that options name may be inputs */

/* Protects and audits. What is written is not an option here: lacuna_release_save(). */
LACUNA_C_API lacuna_status lacuna_problem_protect(const lacuna_problem* problem,
                                                  const char* options,
                                                  const lacuna_inputs* inputs,
                                                  lacuna_run* run,
                                                  lacuna_release** out,
                                                  lacuna_error** error);
/* Audits a release of anyone's: a file, one of the inputs, or NULL for the sensitive cells withheld
 * and no others. That it is exposed is no error. */
LACUNA_C_API lacuna_status lacuna_problem_audit(const lacuna_problem* problem,
                                                const char* release,
                                                const char* options,
                                                const lacuna_inputs* inputs,
                                                lacuna_run* run,
                                                lacuna_audit** out,
                                                lacuna_error** error);
/* What the evidence of a certificate shows when it is checked from the start, without a solver;
 * with a release (or NULL) for exactly this one. */
LACUNA_C_API lacuna_status lacuna_problem_verify(const lacuna_problem* problem,
                                                 const char* certificate,
                                                 const char* release,
                                                 const char* options,
                                                 const lacuna_inputs* inputs,
                                                 const char** verdict,
                                                 lacuna_error** error);

/* ---- releases: what has passed the audit */

/* protected, waived or unasked. */
LACUNA_C_API lacuna_status lacuna_release_verdict(const lacuna_release* release,
                                                  const char** verdict,
                                                  lacuna_error** error);
/* What protect --json prints. */
LACUNA_C_API lacuna_status lacuna_release_summary(const lacuna_release* release,
                                                  char** json,
                                                  lacuna_error** error);
/* The public table of number `table` of a job with several, or (-1) all cells. The stream is the
 * caller's, who releases it. Of what nothing was asked only with {"unasked": "publish"}. */
LACUNA_C_API lacuna_status lacuna_release_published(const lacuna_release* release,
                                                    int32_t table,
                                                    const char* options,
                                                    struct ArrowArrayStream* out,
                                                    lacuna_error** error);
/* The bytes of a public file by the ending of its name (".csv", ".json", ".xlsx", ...), and how
 * many they are (`size` may be NULL). Options: those of `write`, and unasked. */
LACUNA_C_API lacuna_status lacuna_release_published_file(const lacuna_release* release,
                                                         const char* ending,
                                                         const char* options,
                                                         char** bytes,
                                                         size_t* size,
                                                         lacuna_error** error);
/* The evidence as JSON, as confidential as the table. */
LACUNA_C_API lacuna_status lacuna_release_certificate(const lacuna_release* release,
                                                      char** json,
                                                      lacuna_error** error);
/* Writes all files or none: {"public": "sales.csv", "output": "result.json", "certificate":
 * "c.json"}, each as on the command line, with the options of `write`, and unasked. */
LACUNA_C_API lacuna_status lacuna_release_save(const lacuna_release* release,
                                               const char* options,
                                               lacuna_error** error);
/* The page about it, written to `path` (may be NULL) and put into `html` (may be NULL). */
LACUNA_C_API lacuna_status lacuna_release_report(const lacuna_release* release,
                                                 const char* path,
                                                 const char* options,
                                                 lacuna_run* run,
                                                 char** html,
                                                 lacuna_error** error);
LACUNA_C_API lacuna_status lacuna_release_audit(const lacuna_release* release,
                                                lacuna_audit** out,
                                                lacuna_error** error);
LACUNA_C_API void lacuna_release_free(lacuna_release* release);

/* ---- audits */

/* What the audit found that refused the release of a call of lacuna_problem_protect();
 * LACUNA_MISUSE if the error has none. */
LACUNA_C_API lacuna_status lacuna_error_audit(const lacuna_error* refused,
                                              lacuna_audit** out,
                                              lacuna_error** error);
/* protected, exposed, undecided, waived or unasked. */
LACUNA_C_API lacuna_status lacuna_audit_verdict(const lacuna_audit* audit,
                                                const char** verdict,
                                                lacuna_error** error);
/* What audit --json prints, as confidential as the table. */
LACUNA_C_API lacuna_status lacuna_audit_report(const lacuna_audit* audit,
                                               char** json,
                                               lacuna_error** error);
LACUNA_C_API void lacuna_audit_free(lacuna_audit* audit);

/* ---- what readers can infer from published tables alone (docs/infer.md) */

/* `count` files, or inputs by their names; several are one system. Options: those of the command
 * infer, without the files that it writes. That something can be inferred is no error. */
LACUNA_C_API lacuna_status lacuna_infer(const char* const* files,
                                        size_t count,
                                        const char* options,
                                        const lacuna_inputs* inputs,
                                        lacuna_run* run,
                                        lacuna_inference** out,
                                        lacuna_error** error);
/* Whether a blank that counts can be computed exactly or is narrower than `protection` allows, or
 * is not settled (1), or none (0). */
LACUNA_C_API lacuna_status lacuna_inference_too_narrow(const lacuna_inference* inference,
                                                       int32_t* too_narrow,
                                                       lacuna_error** error);
/* What infer --json prints: the sums that were found, and every blank with its interval, the
 * narrowest first. */
LACUNA_C_API lacuna_status lacuna_inference_report(const lacuna_inference* inference,
                                                   char** json,
                                                   lacuna_error** error);
/* The proofs, which scripts/verify_certificate.py --public checks against the published files. */
LACUNA_C_API lacuna_status lacuna_inference_certificate(const lacuna_inference* inference,
                                                        char** json,
                                                        lacuna_error** error);
/* The page about it. */
LACUNA_C_API lacuna_status lacuna_inference_page(const lacuna_inference* inference,
                                                 char** html,
                                                 lacuna_error** error);
LACUNA_C_API void lacuna_inference_free(lacuna_inference* inference);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* LACUNA_C_H */
