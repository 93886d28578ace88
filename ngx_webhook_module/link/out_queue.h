// Bytes on their way to the processor.
#ifndef NGX_WEBHOOK_LINK_OUT_QUEUE_H_
#define NGX_WEBHOOK_LINK_OUT_QUEUE_H_

#include "ngx_webhook_module/ngx.h"
#include "ngx_webhook_module/verify/signed_template.h"

namespace webhook {

// Small frames are copied into blocks of its own, so that many leave in one
// write and none needs its request any more. Pieces of large bodies are only
// referenced; when their owner goes first, what is unsent is copied.
//
// Not bounded here: the link refuses events while size() is past its limit.
class OutQueue {
 public:
  // Frames up to this size are copied. Measured: at 10 KiB a copy costs as much
  // as an entry of writev's vector, of which NGINX passes at most 64 a call.
  static constexpr size_t kCopyLimit = 16 * 1024;

  void init() { ngx_queue_init(&nodes_); }
  bool empty() const { return ngx_queue_empty(&nodes_); }
  size_t size() const { return size_; }

  // Room for `size` contiguous bytes at the end; nullptr: no memory. Nothing is
  // queued until one of the next three says how many of them were written.
  u_char* reserve(size_t size);
  void commit(size_t size);

  // As commit(), and the body behind it. There must be room for both.
  void commit_with_copy(size_t size, const Body& body);

  // As commit(), and the body behind it, which stays where it is: `owner` calls
  // detach() before its memory goes. False: no memory, and nothing was queued.
  bool commit_with_reference(size_t size, const Body& body, const void* owner);

  // Copies what of `owner` is unsent. False when there is no memory: the stream
  // is then broken in the middle of a frame.
  bool detach(const void* owner);

  // Writes what the socket takes. NGX_OK: all of it; NGX_AGAIN; NGX_ERROR.
  ngx_int_t flush(ngx_connection_t* c);

  void clear();

 private:
  static constexpr size_t kBlockSize = 64 * 1024;

  struct Node {
    ngx_queue_t queue;
    u_char* pos;
    u_char* last;
    u_char* end;        // of the block; of a reference: last
    const void* owner;  // nullptr: the bytes follow the node in memory
  };

  static Node* node_at(ngx_queue_t* queue) { return ngx_queue_data(queue, Node, queue); }
  static Node* allocate(size_t capacity);
  static void free_nodes(ngx_queue_t* nodes);
  bool detach_node(Node* node);
  void drop_sent(size_t sent);

  ngx_queue_t nodes_;
  size_t size_;
};

}  // namespace webhook

#endif  // NGX_WEBHOOK_LINK_OUT_QUEUE_H_
