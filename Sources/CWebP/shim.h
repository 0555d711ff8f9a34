#if !__has_include(<webp/decode.h>)
#error "The headers of libwebp are missing. Install the package libwebp-dev, or run Tests/setup."
#endif
#include <webp/decode.h>
#include <webp/encode.h>
