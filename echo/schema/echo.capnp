# The record as Cap'n Proto carries it, and the interface that echoes it.
@0xb4f1c0a7d2e35961;

using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("rpcbench::capnp_schema");

struct Record {
  flag @0 :Bool;
  number @1 :Int64;
  real @2 :Float64;
  text @3 :Text;
}

interface Echo {
  echo @0 (record :Record) -> (record :Record);
}
