// The record as Thrift carries it, and the service that echoes it.
namespace cpp rpcbench.thrift_schema
namespace js rpcbench

struct Record {
  1: bool flag
  2: i64 number
  3: double real
  4: string text
}

service Echo {
  Record echo(1: Record record)
}
