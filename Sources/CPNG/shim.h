#if !__has_include(<png.h>)
#error "The headers of libpng are missing. Install the package libpng-dev, or run Tests/setup."
#endif
#include <png.h>
