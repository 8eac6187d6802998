package dev.holdfast.guard.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.guard.Access;
import dev.holdfast.guard.Entry;
import dev.holdfast.guard.Marks;
import dev.holdfast.guard.Verdict;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.Set;

/**
 * The recipe for object storage of docs/fencing.md: marks are the first line of the object, and everything is written on
 * the condition that the object is still what was decided upon. Signing is left out.
 */
final class GuardedObject {
    /** Another was faster: it changed the object, is changing it (S3's words for that), or deleted it. */
    private static final Set<Integer> OVERTAKEN = Set.of(412, 409, 404);

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
            if (marks.equals(before) || put(found, marks, contents(found))) {
                return contents(found);
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
        HttpResponse<byte[]> found =
                client.send(HttpRequest.newBuilder(object).build(), HttpResponse.BodyHandlers.ofByteArray());
        if (found.statusCode() != 200 && found.statusCode() != 404) {
            throw new IOException(object + ": " + found.statusCode());
        }
        return found;
    }

    private static Marks marks(HttpResponse<byte[]> found) {
        return found.statusCode() == 404
                ? Marks.NONE
                : Marks.parse(new String(found.body(), 0, firstLine(found), UTF_8));
    }

    private static byte[] contents(HttpResponse<byte[]> found) {
        return found.statusCode() == 404
                ? new byte[0]
                : Arrays.copyOfRange(found.body(), firstLine(found) + 1, found.body().length);
    }

    private static int firstLine(HttpResponse<byte[]> found) {
        int end = 0;
        while (end < found.body().length && found.body()[end] != '\n') {
            end++;
        }
        if (end == found.body().length) {
            throw new IllegalStateException("the object has no marks: it was not written through a guard");
        }
        return end;
    }

    /** False if somebody was faster: then everything is decided anew. */
    private boolean put(HttpResponse<byte[]> found, Marks marks, byte[] contents)
            throws IOException, InterruptedException {
        byte[] line = (marks.text() + "\n").getBytes(UTF_8);
        byte[] body = Arrays.copyOf(line, line.length + contents.length);
        System.arraycopy(contents, 0, body, line.length, contents.length);
        HttpRequest.Builder request = HttpRequest.newBuilder(object).PUT(HttpRequest.BodyPublishers.ofByteArray(body));
        if (found.statusCode() == 404) {
            request.header("If-None-Match", "*");
        } else {
            request.header("If-Match", found.headers().firstValue("ETag").orElseThrow());
        }
        int status = client.send(request.build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
        if (status != 200 && !OVERTAKEN.contains(status)) {
            throw new IOException(object + ": " + status);
        }
        return status == 200;
    }
}
