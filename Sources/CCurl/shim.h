// libcurl's options are variadic, which Swift does not import: a function for each kind of them.
#include <curl/curl.h>

static inline CURLcode rollcall_curl_set_number(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode rollcall_curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode rollcall_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

// For the body and for the head, a line a call.
static inline CURLcode rollcall_curl_set_receiver(
    CURL *handle, CURLoption option, size_t (*value)(char *, size_t, size_t, void *)) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode rollcall_curl_set_watcher(
    CURL *handle, int (*value)(void *, curl_off_t, curl_off_t, curl_off_t, curl_off_t)) {
    return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, value);
}

// The address of the server, or of the proxy, that the last request went to; empty if there is none.
static inline const char *rollcall_curl_address(CURL *handle) {
    const char *address = NULL;
    return curl_easy_getinfo(handle, CURLINFO_PRIMARY_IP, &address) == CURLE_OK && address ? address : "";
}

// Opens the socket of a connection, when the address is known.
static inline CURLcode rollcall_curl_set_opener(CURL *handle, curl_opensocket_callback value) {
    return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, value);
}
