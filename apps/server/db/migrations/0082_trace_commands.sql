-- W3C `traceparent` of the request that queued a command: the gateway's spans continue its trace. Null while tracing is off.

alter table command add column traceparent text;
