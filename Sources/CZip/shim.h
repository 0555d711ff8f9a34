#if !__has_include(<zip.h>)
#error "The headers of libzip are missing. Install the package libzip-dev, or run Tests/setup."
#endif
#include <zip.h>
