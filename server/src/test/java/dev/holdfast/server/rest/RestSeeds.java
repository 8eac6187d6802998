package dev.holdfast.server.rest;

import java.util.List;

/** Requests that are read, from which fuzzers make others. */
public final class RestSeeds {
    public static final List<String> BODIES = List.of(
            "{\"resourceId\": \"order:12345\", \"ttl\": 30, \"blocking\": true, \"timeout\": 10}",
            "{\"resources\": [{\"resourceId\": \"a\", \"mode\": \"SHARED\"}, {\"resourceId\": \"b\", \"capacity\": 3,"
                    + " \"permits\": 2}], \"metadata\": {\"k\": [1, 2.5e3, null, true]}, \"purpose\": \"\\u00e9\\ud83d\\ude00\"}",
            "{\"operations\": [{\"acquire\": {\"resourceId\": \"x\"}}, {\"release\": {\"lockId\": \"AAAA\", \"lockToken\":"
                    + " \"BBBB\"}}, {\"renew\": {\"additionalTtlMs\": 9223372036854775807}}]}");

    private RestSeeds() {}
}
