#if !__has_include(<gif_lib.h>)
#error "The headers of giflib are missing. Install the package libgif-dev, or run Tests/setup."
#endif
#include <gif_lib.h>
