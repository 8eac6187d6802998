package dev.holdfast.guard.http;

import dev.holdfast.guard.Access;
import dev.holdfast.guard.Entry;
import dev.holdfast.guard.Marks;
import dev.holdfast.guard.Verdict;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/**
 * The recipe for object storage of docs/fencing.md: marks lie with the object, as metadata, and everything is written on
 * the condition that the object is still what was decided upon. Signing is left out.
 */
final class GuardedObject {
    private static final String MARKS = "x-amz-meta-holdfast-marks";

    private final HttpClient client = HttpClient.newHttpClient();
    private final URI object;

    GuardedObject(URI object) {
        this.object = object;
    }

    /** Enters and reads. */
    byte[] read(Access access) throws IOException, InterruptedException {
        while (true) {
            HttpResponse<byte[]> found = get();
            Marks before = marks(found);
            Marks marks = before.enter(access).orRefuse(access).marks();
            if (marks.equals(before) || put(found, marks, found.body())) {
                return found.body();
            }
        }
    }

    /** Enters and writes. */
    Entry write(Access access, byte[] contents) throws IOException, InterruptedException {
        while (true) {
            HttpResponse<byte[]> found = get();
            Verdict.Entered entered = marks(found).enter(access).orRefuse(access);
            if (entered.entry() == Entry.REPEATED || put(found, entered.marks(), contents)) {
                return entered.entry();
            }
        }
    }

    private HttpResponse<byte[]> get() throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(object).build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    private static Marks marks(HttpResponse<byte[]> found) {
        return Marks.parse(found.headers().firstValue(MARKS).orElse(""));
    }

    /** False if somebody was faster: then everything is decided anew. */
    private boolean put(HttpResponse<byte[]> found, Marks marks, byte[] contents)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(object)
                .PUT(HttpRequest.BodyPublishers.ofByteArray(contents))
                .header(MARKS, marks.text());
        if (found.statusCode() == 404) {
            request.header("If-None-Match", "*");
        } else {
            request.header("If-Match", found.headers().firstValue("ETag").orElseThrow());
        }
        int status = client.send(request.build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
        if (status != 200 && status != 412) {
            throw new IOException(object + ": " + status);
        }
        return status == 200;
    }
}
