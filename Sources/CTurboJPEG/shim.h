#if !__has_include(<turbojpeg.h>)
#error "The headers of TurboJPEG are missing. Install the package libturbojpeg0-dev, or run Tests/setup."
#endif
#include <turbojpeg.h>
