// PostgreSQL's own client library (https://www.postgresql.org/docs/15/libpq.html). Debian keeps the header in
// /usr/include/postgresql, which pkg-config names.
#include <libpq-fe.h>

// Macros that Swift does not import (postgres_ext.h).
static inline int rollcall_pg_diag_sqlstate(void) { return PG_DIAG_SQLSTATE; }
static inline int rollcall_pg_diag_message_primary(void) { return PG_DIAG_MESSAGE_PRIMARY; }
static inline int rollcall_pg_diag_message_detail(void) { return PG_DIAG_MESSAGE_DETAIL; }
