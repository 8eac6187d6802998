-- What wrk sends: a try for a lock that is held, which the node that is asked may refuse from what it knows.
wrk.method = "POST"
wrk.body = '{"resourceId": "held", "staleDenial": true}'
wrk.headers["content-type"] = "application/json"

function done(summary, latency, requests)
  io.write(string.format("other answers than 409: %s\n", summary.requests == summary.errors.status and "none" or "some"))
end
