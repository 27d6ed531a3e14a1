#include "server/control.h"

#include <istream>
#include <nlohmann/json.hpp>
#include <ostream>

#include "echo/error.h"

namespace rpcbench {

using nlohmann::json;

std::string HelloLine(const Hello& hello) {
  return json{{"rpcbench", 1},
              {"framework", hello.framework},
              {"host", hello.address.host},
              {"port", hello.address.port},
              {"pid", hello.pid},
              {"cpus", hello.cpus}}
      .dump();
}

Hello ParseHello(const std::string& line) {
  try {
    const json from = json::parse(line);
    if (from.at("rpcbench") != 1) throw Error("the server speaks another exchange: " + line);
    Hello hello;
    from.at("framework").get_to(hello.framework);
    from.at("host").get_to(hello.address.host);
    from.at("port").get_to(hello.address.port);
    from.at("pid").get_to(hello.pid);
    from.at("cpus").get_to(hello.cpus);
    return hello;
  } catch (const json::exception& error) {
    throw Error("the server's first line is not its address: \"" + line + "\" (" + error.what() +
                ")");
  }
}

void ServeControl(ServerMeter& server, std::istream& in, std::ostream& out) {
  std::string line;
  while (std::getline(in, line)) {
    if (line == "mark" || line == "mark allocations") {
      server.Mark(line == "mark" ? Count::kNothing : Count::kAllocations);
      out << R"({"marked":true})" << std::endl;
    } else if (line == "report") {
      out << ToJson(server.Report()).dump() << std::endl;
    } else {
      const json answer = {{"error", "unknown command: give mark, mark allocations or report"}};
      out << answer.dump() << std::endl;
    }
  }
}

}  // namespace rpcbench
