#include "ngx_webhook_module/body_reader.h"

#include "ngx_webhook_module/request.h"
#include "ngx_webhook_module/worker.h"

namespace webhook {
namespace {

constexpr size_t kFirstSegment = 16 * 1024;
constexpr size_t kLargestSegment = 256 * 1024;

bool is_in_file(const ngx_http_request_body_t& body) {
  if (body.temp_file != nullptr) return true;
  for (ngx_chain_t* link = body.bufs; link != nullptr; link = link->next) {
    if (link->buf->in_file) return true;
  }
  return false;
}

}  // namespace

void BodyReader::init(ngx_http_request_t* r, BodyLimits limits,
                      void (*read)(ngx_http_request_t* r, Reason reason)) {
  request_ = r;
  limits_ = limits;
  read_ = read;
  size_ = counted_ = held_ = capacity_ = 0;
}

ngx_int_t BodyReader::start() {
  ngx_http_request_t* r = request_;
  if (ngx_array_init(&pieces_, r->pool, 4, sizeof(iovec)) != NGX_OK) return NGX_ERROR;
  r->request_body_no_buffering = 1;
  // NGINX falls back to buffering when an HTTP/2 body has already ended, and
  // then would still obey these two.
  r->request_body_in_file_only = 0;
  r->request_body_in_single_buf = 0;
  const ngx_int_t rc = ngx_http_read_client_request_body(r, on_start);
  if (rc == NGX_HTTP_REQUEST_ENTITY_TOO_LARGE) {
    return prepare_answer(find_context(r), Reason::kBodyTooLarge);
  }
  return rc >= NGX_HTTP_SPECIAL_RESPONSE ? rc : NGX_DONE;
}

void BodyReader::on_start(ngx_http_request_t* r) {
  BodyReader* reader = &find_context(r)->body;
  if (r->request_body == nullptr) {
    // Discarded before, as on the way to an error page.
    reader->finish(Reason::kBodyIncomplete);
    return;
  }
  if (is_in_file(*r->request_body)) {
    ngx_log_error(NGX_LOG_ERR, r->connection->log, 0,
                  "webhook: another module has already written the body to a file, unverified; "
                  "switch its reading off in this location (mirror_request_body off)");
    reader->finish(Reason::kInternal);
    return;
  }
  if (!r->reading_body) {
    reader->finish(reader->reference_whole());
    return;
  }
  r->read_event_handler = on_readable;
  const Reason reason = reader->copy_received();
  if (reason != Reason::kNone) {
    reader->finish(reason);
    return;
  }
  reader->continue_reading();
}

void BodyReader::on_readable(ngx_http_request_t* r) {
  find_context(r)->body.continue_reading();
}

// Whatever was read has to be taken before more can come: HTTP/1 has one buffer
// and HTTP/2 opens its window only then.
void BodyReader::continue_reading() {
  ngx_http_request_t* r = request_;
  for (;;) {
    const ngx_int_t rc = ngx_http_read_unbuffered_request_body(r);
    if (rc == NGX_HTTP_REQUEST_ENTITY_TOO_LARGE) {
      finish(Reason::kBodyTooLarge);
      return;
    }
    if (rc >= NGX_HTTP_SPECIAL_RESPONSE) {
      r->read_event_handler = ngx_http_block_reading;
      ngx_http_finalize_request(r, rc);
      return;
    }
    const bool received = r->request_body->bufs != nullptr;
    const Reason reason = copy_received();
    if (reason != Reason::kNone || !r->reading_body) {
      finish(reason);
      return;
    }
    if (!received) return;
  }
}

// What the client does from here on, sending more or hanging up, must not
// bring the reader back.
void BodyReader::finish(Reason reason) {
  request_->read_event_handler = ngx_http_block_reading;
  read_(request_, reason);
}

Reason BodyReader::reference_whole() {
  for (ngx_chain_t* link = request_->request_body->bufs; link != nullptr; link = link->next) {
    const size_t size = link->buf->last - link->buf->pos;
    if (size == 0) continue;
    if (size > limits_.body - size_) return Reason::kBodyTooLarge;
    if (!count(size)) return Reason::kReadingFull;
    auto* piece = static_cast<iovec*>(ngx_array_push(&pieces_));
    if (piece == nullptr) return Reason::kInternal;
    *piece = {link->buf->pos, size};
    size_ += size;
  }
  return Reason::kNone;
}

Reason BodyReader::copy_received() {
  for (ngx_chain_t* link = request_->request_body->bufs; link != nullptr; link = link->next) {
    ngx_buf_t* buf = link->buf;
    const Reason reason = append(buf->pos, buf->last - buf->pos);
    if (reason != Reason::kNone) return reason;
    buf->pos = buf->last;
  }
  request_->request_body->bufs = nullptr;
  return Reason::kNone;
}

Reason BodyReader::append(const u_char* bytes, size_t size) {
  if (size > limits_.body - size_) return Reason::kBodyTooLarge;
  size_ += size;
  while (size > 0) {
    auto* last = static_cast<iovec*>(pieces_.elts) + (pieces_.nelts - 1);
    if (pieces_.nelts == 0 || last->iov_len == capacity_) {
      const Reason reason = add_segment();
      if (reason != Reason::kNone) return reason;
      last = static_cast<iovec*>(pieces_.elts) + (pieces_.nelts - 1);
    }
    const size_t part = ngx_min(size, capacity_ - last->iov_len);
    ngx_memcpy(static_cast<u_char*>(last->iov_base) + last->iov_len, bytes, part);
    last->iov_len += part;
    bytes += part;
    size -= part;
  }
  return Reason::kNone;
}

Reason BodyReader::add_segment() {
  const size_t grown = capacity_ == 0 ? kFirstSegment : ngx_min(capacity_ * 4, kLargestSegment);
  const size_t capacity = ngx_min(grown, limits_.body - held_);
  if (!count(capacity)) return Reason::kReadingFull;
  void* memory = ngx_pmemalign(request_->pool, capacity, NGX_ALIGNMENT);
  auto* piece = static_cast<iovec*>(ngx_array_push(&pieces_));
  if (memory == nullptr || piece == nullptr) return Reason::kInternal;
  *piece = {memory, 0};
  capacity_ = capacity;
  held_ += capacity;
  return Reason::kNone;
}

// What is held counts, not what is in it: a sender that stops after a byte
// holds a segment all the same.
bool BodyReader::count(size_t size) {
  if (bytes_reading + size > reading_limit()) return false;
  counted_ += size;
  bytes_reading += size;
  return true;
}

// A quarter is kept for bodies that fit their first segment, as most do: those
// who send large ones slowly cannot shut them out.
size_t BodyReader::reading_limit() const {
  return counted_ == 0 ? limits_.reading : limits_.reading / 4 * 3;
}

void BodyReader::discard() {
  release();
  if (held_ == 0) return;  // the pieces are NGINX's
  auto* pieces = static_cast<iovec*>(pieces_.elts);
  for (ngx_uint_t i = 0; i < pieces_.nelts; ++i) ngx_pfree(request_->pool, pieces[i].iov_base);
  pieces_.nelts = 0;
  held_ = capacity_ = 0;
}

void BodyReader::release() {
  bytes_reading -= counted_;
  counted_ = 0;
}

}  // namespace webhook
