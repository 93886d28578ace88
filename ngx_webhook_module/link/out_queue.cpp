#include "ngx_webhook_module/link/out_queue.h"

namespace webhook {
namespace {

// As many as one writev() of NGINX takes.
constexpr size_t kMaxPieces = 64;

}  // namespace

OutQueue::Node* OutQueue::allocate(size_t capacity) {
  auto* node = static_cast<Node*>(ngx_alloc(sizeof(Node) + capacity, ngx_cycle->log));
  if (node == nullptr) return nullptr;
  node->pos = node->last = reinterpret_cast<u_char*>(node + 1);
  node->end = node->pos + capacity;
  node->owner = nullptr;
  return node;
}

u_char* OutQueue::reserve(size_t size) {
  if (!empty()) {
    Node* tail = node_at(ngx_queue_last(&nodes_));
    if (tail->owner == nullptr && static_cast<size_t>(tail->end - tail->last) >= size) {
      return tail->last;
    }
  }
  Node* node = allocate(ngx_max(size, kBlockSize));
  if (node == nullptr) return nullptr;
  ngx_queue_insert_tail(&nodes_, &node->queue);
  return node->last;
}

void OutQueue::commit(size_t size) {
  node_at(ngx_queue_last(&nodes_))->last += size;
  size_ += size;
}

void OutQueue::commit_with_copy(size_t size, const Body& body) {
  commit(size);
  Node* tail = node_at(ngx_queue_last(&nodes_));
  for (size_t i = 0; i < body.count; ++i) {
    tail->last = ngx_cpymem(tail->last, body.pieces[i].iov_base, body.pieces[i].iov_len);
    size_ += body.pieces[i].iov_len;
  }
}

bool OutQueue::commit_with_reference(size_t size, const Body& body, const void* owner) {
  ngx_queue_t added;
  ngx_queue_init(&added);
  for (size_t i = 0; i < body.count; ++i) {
    Node* node = allocate(0);
    if (node == nullptr) {
      free_nodes(&added);
      return false;
    }
    node->pos = static_cast<u_char*>(body.pieces[i].iov_base);
    node->last = node->end = node->pos + body.pieces[i].iov_len;
    node->owner = owner;
    ngx_queue_insert_tail(&added, &node->queue);
  }
  commit(size);
  size_ += body.size();
  if (!ngx_queue_empty(&added)) {
    ngx_queue_add(&nodes_, &added);
  }
  return true;
}

bool OutQueue::detach(const void* owner) {
  ngx_queue_t* next;
  for (ngx_queue_t* q = ngx_queue_head(&nodes_); q != ngx_queue_sentinel(&nodes_); q = next) {
    next = ngx_queue_next(q);
    if (node_at(q)->owner == owner && !detach_node(node_at(q))) return false;
  }
  return true;
}

bool OutQueue::detach_node(Node* node) {
  const size_t unsent = node->last - node->pos;
  Node* copy = allocate(unsent);
  if (copy == nullptr) return false;
  copy->last = ngx_cpymem(copy->last, node->pos, unsent);
  ngx_queue_insert_after(&node->queue, &copy->queue);
  ngx_queue_remove(&node->queue);
  ngx_free(node);
  return true;
}

ngx_int_t OutQueue::flush(ngx_connection_t* c) {
  drop_sent(0);  // a block that was reserved and never written to
  while (!empty()) {
    ngx_buf_t bufs[kMaxPieces];
    ngx_chain_t chain[kMaxPieces];
    size_t count = 0;
    for (ngx_queue_t* q = ngx_queue_head(&nodes_);
         q != ngx_queue_sentinel(&nodes_) && count < kMaxPieces; q = ngx_queue_next(q)) {
      ngx_memzero(&bufs[count], sizeof(ngx_buf_t));
      bufs[count].pos = node_at(q)->pos;
      bufs[count].last = node_at(q)->last;
      bufs[count].memory = 1;
      chain[count] = {&bufs[count], nullptr};
      if (count > 0) chain[count - 1].next = &chain[count];
      ++count;
    }
    const off_t before = c->sent;
    ngx_chain_t* rest = c->send_chain(c, chain, 0);
    if (rest == NGX_CHAIN_ERROR) return NGX_ERROR;
    drop_sent(static_cast<size_t>(c->sent - before));
    if (rest != nullptr) return NGX_AGAIN;
  }
  return NGX_OK;
}

void OutQueue::drop_sent(size_t sent) {
  size_ -= sent;
  while (!empty()) {
    Node* node = node_at(ngx_queue_head(&nodes_));
    const size_t part = ngx_min(sent, static_cast<size_t>(node->last - node->pos));
    node->pos += part;
    sent -= part;
    if (node->pos != node->last) return;
    ngx_queue_remove(&node->queue);
    ngx_free(node);
  }
}

void OutQueue::free_nodes(ngx_queue_t* nodes) {
  while (!ngx_queue_empty(nodes)) {
    ngx_queue_t* first = ngx_queue_head(nodes);
    ngx_queue_remove(first);
    ngx_free(node_at(first));
  }
}

void OutQueue::clear() {
  free_nodes(&nodes_);
  size_ = 0;
}

}  // namespace webhook
