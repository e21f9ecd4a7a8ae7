// A web server of one file on 127.0.0.1, for tests: it counts what it sends and misbehaves on
// demand.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

namespace ifd {

struct ServerBehaviour {
  static constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();

  std::string path;                // of the file, as "/data.npz?download=1"; all others are 404
  std::string content;             // of the file
  std::string redirect_from;       // a path that leads to `path`
  int busy_answers = 0;            // so many requests are answered with 503 first
  int cut_answers = 0;             // so many answers end after cut_after bytes
  std::size_t cut_after = kNever;  // of the body
  std::size_t stall_after =
      kNever;  // of the body; then silence until the client leaves; 0: no head either
  bool ignores_ranges = false;  // answers 200 with the whole file
  bool shifts_ranges = false;   // answers 206 with a range that was not asked for
  bool hides_length = false;    // the body ends where the connection does
};

// Answers one request per connection, one connection at a time, on a thread of its own.
class LocalServer {
 public:
  explicit LocalServer(ServerBehaviour behaviour) : behaviour_(std::move(behaviour)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof(address);
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    if (listener_ < 0 || ::bind(listener_, generic, length) != 0 || ::listen(listener_, 8) != 0 ||
        ::getsockname(listener_, generic, &length) != 0 || ::pipe(stop_.data()) != 0) {
      throw std::runtime_error("no server on 127.0.0.1");
    }
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  LocalServer(const LocalServer&) = delete;
  LocalServer& operator=(const LocalServer&) = delete;
  ~LocalServer() {
    ::close(stop_[1]);  // wakes every poll
    thread_.join();
    ::close(stop_[0]);
    ::close(listener_);
  }

  std::string address() const { return "http://127.0.0.1:" + std::to_string(port_); }
  int requests() const { return requests_; }
  std::size_t body_bytes_sent() const { return body_bytes_sent_; }

 private:
  // False when the server is to stop.
  bool wait_for(int descriptor) const {
    std::array<pollfd, 2> polled = {{{descriptor, POLLIN, 0}, {stop_[0], POLLIN, 0}}};
    while (::poll(polled.data(), polled.size(), -1) < 0) {
    }
    return polled[1].revents == 0;
  }

  void serve() {
    while (wait_for(listener_)) {
      const int connection = ::accept(listener_, nullptr, nullptr);
      if (connection < 0) continue;
      answer(connection);
      ::close(connection);
    }
  }

  void answer(int connection) {
    std::string request;
    while (request.find("\r\n\r\n") == std::string::npos) {
      std::array<char, 4096> piece;
      if (!wait_for(connection)) return;
      const ssize_t count = ::recv(connection, piece.data(), piece.size(), 0);
      if (count <= 0) return;
      request.append(piece.data(), static_cast<std::size_t>(count));
    }
    const int earlier = requests_++;
    const std::size_t path_begin = request.find(' ') + 1;
    const std::string path = request.substr(path_begin, request.find(' ', path_begin) - path_begin);

    if (earlier < behaviour_.busy_answers) {
      send_error(connection, "503 Service Unavailable");
    } else if (!behaviour_.redirect_from.empty() && path == behaviour_.redirect_from) {
      send_text(connection, "HTTP/1.1 302 Found\r\nLocation: " + behaviour_.path +
                                "\r\nContent-Length: 5\r\nConnection: close\r\n\r\nmoved");
    } else if (path != behaviour_.path) {
      send_error(connection, "404 Not Found");
    } else {
      const bool cut = earlier - behaviour_.busy_answers < behaviour_.cut_answers;
      send_file(connection, range_begin(request), cut ? behaviour_.cut_after : kNever);
    }
  }

  std::size_t range_begin(const std::string& request) const {
    constexpr std::string_view kHeader = "\r\nRange: bytes=";
    const std::size_t at = request.find(kHeader);
    if (at == std::string::npos || behaviour_.ignores_ranges) return 0;
    return std::stoull(request.substr(at + kHeader.size()));
  }

  void send_error(int connection, const std::string& status) {
    send_text(connection,
              "HTTP/1.1 " + status +
                  "\r\nContent-Length: 17\r\nConnection: close\r\n\r\n<p>an error</p>\r\n");
  }

  void send_file(int connection, std::size_t begin, std::size_t cut_after) {
    const std::string size = std::to_string(behaviour_.content.size());
    if (begin > 0 && begin >= behaviour_.content.size()) {
      send_text(connection, "HTTP/1.1 416 Range Not Satisfiable\r\nContent-Range: bytes */" + size +
                                "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
      return;
    }
    if (begin > 0 && behaviour_.shifts_ranges) --begin;
    const std::string_view body = std::string_view(behaviour_.content).substr(begin);
    std::string head = "HTTP/1.1 200 OK\r\n";
    if (begin > 0) {
      head = "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes " + std::to_string(begin) + "-" +
             std::to_string(behaviour_.content.size() - 1) + "/" + size + "\r\n";
    }
    if (behaviour_.stall_after == 0) {
      wait_for(connection);
      return;
    }
    if (!behaviour_.hides_length) {
      head += "Content-Length: " + std::to_string(body.size()) + "\r\n";
    }
    send_text(connection, head + "Connection: close\r\n\r\n");
    const std::size_t count = std::min({body.size(), cut_after, behaviour_.stall_after});
    body_bytes_sent_ += send_text(connection, body.substr(0, count));
    if (count == behaviour_.stall_after) wait_for(connection);
  }

  // How many bytes the client took.
  std::size_t send_text(int connection, std::string_view text) {
    std::size_t sent = 0;
    while (sent < text.size()) {
      const ssize_t count =
          ::send(connection, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
      if (count <= 0) break;
      sent += static_cast<std::size_t>(count);
    }
    return sent;
  }

  static constexpr std::size_t kNever = ServerBehaviour::kNever;
  const ServerBehaviour behaviour_;
  int listener_ = -1;
  std::array<int, 2> stop_{};
  std::uint16_t port_ = 0;
  std::atomic<int> requests_ = 0;
  std::atomic<std::size_t> body_bytes_sent_ = 0;
  std::thread thread_;
};

}  // namespace ifd
