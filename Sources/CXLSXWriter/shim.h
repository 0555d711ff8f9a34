#if !__has_include(<xlsxwriter.h>)
#error "The headers of libxlsxwriter are missing. Install the package libxlsxwriter-dev, or run Tests/setup."
#endif
#include <xlsxwriter.h>
