// Reads a request body into memory, raw, and never to a disk.
#ifndef NGX_WEBHOOK_BODY_READER_H_
#define NGX_WEBHOOK_BODY_READER_H_

#include "ngx_webhook_module/ngx.h"
#include "ngx_webhook_module/verify/reason.h"
#include "ngx_webhook_module/verify/signed_template.h"

namespace webhook {

struct BodyLimits {
  size_t body;     // of this request (webhook_max_body)
  size_t reading;  // memory of all requests of the worker (webhook_max_reading)
};

// NGINX's unbuffered reading, which has no temporary file whatever
// client_body_buffer_size and client_body_in_file_only say. A body that came
// in one go stays where NGINX has it; otherwise its pieces are copied out of
// NGINX's buffer into segments that grow with the body, never by what
// Content-Length announces.
class BodyReader {
 public:
  // `read` is called once with kNone or the reason for which to refuse;
  // until then the counted bytes belong to the reader.
  void init(ngx_http_request_t* r, BodyLimits limits,
            void (*read)(ngx_http_request_t* r, Reason reason));

  // For a content handler: returns what that has to return.
  ngx_int_t start();

  Body body() const {
    return {static_cast<iovec*>(pieces_.elts), static_cast<size_t>(pieces_.nelts)};
  }

  // The body is verified, or goes: it no longer counts against
  // BodyLimits::reading.
  void release();

  // Gives the memory back as well, which the request's pool would hold for as
  // long as the client takes to read its answer.
  void discard();

 private:
  static void on_start(ngx_http_request_t* r);
  static void on_readable(ngx_http_request_t* r);

  Reason reference_whole();
  Reason copy_received();
  Reason append(const u_char* bytes, size_t size);
  Reason add_segment();
  size_t reading_limit() const;
  bool count(size_t size);
  void continue_reading();
  void finish(Reason reason);

  ngx_http_request_t* request_;
  BodyLimits limits_;
  void (*read_)(ngx_http_request_t* r, Reason reason);
  ngx_array_t pieces_;  // of iovec
  size_t size_;
  size_t counted_;   // in bytes_reading
  size_t held_;      // capacity of all segments
  size_t capacity_;  // of the last segment; 0: there is none
};

}  // namespace webhook

#endif  // NGX_WEBHOOK_BODY_READER_H_
