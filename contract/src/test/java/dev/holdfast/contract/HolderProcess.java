package dev.holdfast.contract;

import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.api.Grant;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A client in a process of its own, that holds a lock and says of it what it knows when it is asked. */
final class HolderProcess implements AutoCloseable {
    private final Process process;
    private final BufferedReader answers;
    private final PrintStream questions;

    private HolderProcess(Process process) {
        this.process = process;
        this.answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        this.questions = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    }

    /** Starts it, and returns when it holds the lock. */
    static HolderProcess start(String endpoints, String key, Duration ttl, Map<String, String> environment)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        HolderProcess.class.getName(),
                        endpoints,
                        key,
                        Long.toString(ttl.toMillis())))
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(environment);
        HolderProcess holder = new HolderProcess(builder.start());
        holder.expect("held");
        return holder;
    }

    /** Whether it believes in its grant. */
    boolean isValid() throws IOException {
        questions.println("valid");
        return Boolean.parseBoolean(answer());
    }

    String state() throws IOException {
        questions.println("state");
        return answer();
    }

    /** What its wall clock shows. */
    long wallMillis() throws IOException {
        questions.println("wall");
        return Long.parseLong(answer());
    }

    private String answer() throws IOException {
        for (String line = answers.readLine(); line != null; line = answers.readLine()) {
            if (line.startsWith("> ")) {
                return line.substring(2);
            }
        }
        throw new IOException("the holder ended");
    }

    private void expect(String text) throws IOException {
        String said = answer();
        if (!said.equals(text)) {
            throw new IOException("the holder said '" + said + "'");
        }
    }

    void signal(String name) throws IOException, InterruptedException {
        int code = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (code != 0) {
            throw new IOException("kill -" + name + " gave " + code);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** Runs in the other process. */
    public static void main(String[] arguments) throws Exception {
        try (HoldfastClient client = HoldfastClient.builder(arguments[0])
                        .sessionTtl(Duration.ofMillis(Long.parseLong(arguments[2])))
                        .build();
                BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            Grant grant = client.lock(arguments[1]).acquire();
            System.out.println("> held");
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                System.out.println("> "
                        + switch (line) {
                            case "valid" -> grant.isValid();
                            case "wall" -> System.currentTimeMillis();
                            default -> grant.state();
                        });
            }
        }
    }
}
