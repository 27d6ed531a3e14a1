#include "fanout/sse/connection_set.h"

namespace rpcbench {

void ConnectionSet::Open(PeerSocket socket) {
  const auto connection = std::make_shared<Connection>(std::move(socket), *this);
  connection->index_ = connections_.size();
  connections_.push_back(connection);
  connection->Start();
}

void ConnectionSet::Remove(Connection& connection) {
  const std::size_t index = connection.index_;
  if (index + 1 != connections_.size()) {
    connections_[index] = std::move(connections_.back());
    connections_[index]->index_ = index;
  }
  connections_.pop_back();
  if (connections_.empty() && empty_) empty_();
}

void ConnectionSet::Sweep(Connection::Clock::time_point now) {
  for (std::size_t i = connections_.size(); i-- > 0;) {
    const auto connection = connections_[i];  // what takes its place was looked at before
    if (connection->deadline() < now) connection->Leave(false);
  }
}

void ConnectionSet::Drain() {
  draining_ = true;
  for (std::size_t i = connections_.size(); i-- > 0;) {
    const auto connection = connections_[i];
    if (connection->idle()) connection->Leave(false);
  }
}

void ConnectionSet::CloseAll() {
  while (!connections_.empty()) {
    const auto connection = connections_.back();
    connection->Leave(false);
  }
}

}  // namespace rpcbench
