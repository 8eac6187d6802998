package dev.holdfast.cli.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.cli.Holdfast;
import dev.holdfast.cli.Run;
import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.cli.output.Streams;
import java.io.BufferedReader;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class DatastoreTest {
    private static final Pattern WHERE = Pattern.compile("http://127\\.0\\.0\\.1:(\\d+) ");

    @TempDir
    Path root;

    @Test
    void store_serves_until_it_is_interrupted() throws Exception {
        StringWriter out = new StringWriter();
        Streams streams = new Streams(
                new BufferedReader(new StringReader("")),
                new PrintWriter(out),
                new PrintWriter(new StringWriter()),
                false,
                false);
        FutureTask<Integer> command =
                new FutureTask<>(() -> Holdfast.run(streams, "datastore", "--data", root.toString(), "--port", "0"));
        Thread thread = new Thread(command, "datastore");
        thread.start();
        await().atMost(Duration.ofSeconds(30)).until(() -> out.toString().contains("Ctrl-C") || !thread.isAlive());
        Matcher where = WHERE.matcher(out.toString());
        assertThat(where.find()).as(out.toString()).isTrue();
        HttpResponse<String> answer = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + where.group(1) + "/write"))
                                .POST(HttpRequest.BodyPublishers.ofString(
                                        "{\"clientID\":\"c\",\"fencingToken\":{\"key\":\"a\",\"value\":33},"
                                                + "\"data\":\"hello\"}"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(answer.body()).isEqualTo("{\"success\":true}");
        thread.interrupt();
        command.get();
        assertThat(Files.readString(root.resolve("data.txt"))).contains("hello");
    }

    @Test
    void store_for_everybody_is_refused_unless_told_insecure() {
        Run run = Run.of("", "datastore", "--data", root.toString(), "--host", "0.0.0.0");
        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("--host", "--insecure");
        assertThat(Run.of("", "datastore", "--port", "70000").err()).contains("--port");
    }

    @Test
    void directory_that_cannot_be_used_is_told() throws Exception {
        Path file = Files.writeString(root.resolve("file"), "x");
        Run run = Run.of("", "datastore", "--data", file.toString(), "--port", "0");
        assertThat(run.code()).isEqualTo(ExitCode.FAULT);
        assertThat(run.err()).contains("holdfast datastore: ");
    }
}
