#include "fanout/peer/nchan_config.h"

#include <fmt/format.h>

#include <algorithm>

namespace rpcbench {
namespace {

// nginx writes processors as a mask of binary digits, the last one processor 0.
std::string Affinity(const std::vector<int>& cpus) {
  if (cpus.empty()) return "";
  std::string mask(static_cast<std::size_t>(*std::max_element(cpus.begin(), cpus.end())) + 1, '0');
  for (const int cpu : cpus) mask[mask.size() - 1 - static_cast<std::size_t>(cpu)] = '1';
  return "worker_cpu_affinity " + mask + ";";
}

}  // namespace

// Messages stay in the module's own memory. The buffer holds five seconds of events, so that a
// stream that lags for a moment loses none. Access logs are off, as nobody who pushes to thousands
// keeps a line a stream; small packets leave at once.
std::string NchanConfig(const std::filesystem::path& module, const std::filesystem::path& folder,
                        std::uint16_t port, const std::vector<int>& cpus) {
  return fmt::format(R"(load_module {module};
daemon off;
worker_processes 1;
{affinity}
worker_rlimit_nofile 20000;
pid {folder}/nginx.pid;
error_log {folder}/error.log warn;
events {{
  worker_connections 20000;
  use epoll;
  multi_accept on;
}}
http {{
  access_log off;
  default_type text/plain;
  tcp_nodelay on;
  keepalive_timeout 1h;
  keepalive_requests 1000000000;
  client_max_body_size 64k;
  client_body_buffer_size 64k;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  nchan_shared_memory_size 64M;
  server {{
    listen 127.0.0.1:{port} backlog=4096;
    location = /events {{
      nchan_subscriber eventsource;
      nchan_channel_id events;
      nchan_subscriber_first_message newest;
    }}
    location = /pub {{
      nchan_publisher http;
      nchan_channel_id events;
      nchan_message_buffer_length 100;
      nchan_message_timeout 1m;
    }}
  }}
}}
)",
                     fmt::arg("module", module.string()), fmt::arg("affinity", Affinity(cpus)),
                     fmt::arg("folder", folder.string()), fmt::arg("port", port));
}

}  // namespace rpcbench
