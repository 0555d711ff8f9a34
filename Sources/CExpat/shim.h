#if !__has_include(<expat.h>)
#error "The headers of expat are missing. Install the package libexpat1-dev, or run Tests/setup."
#endif
#include <expat.h>
