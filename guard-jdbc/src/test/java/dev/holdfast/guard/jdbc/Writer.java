package dev.holdfast.guard.jdbc;

import dev.holdfast.guard.Access;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;

/** A process that enters, adds to a counter, and commits when it is told to. */
final class Writer implements AutoCloseable {
    private static final String COMMITTED = "> committed";

    private final Process process;
    private final BufferedReader answers;
    private final PrintStream orders;

    private Writer(Process process) {
        this.process = process;
        this.answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        this.orders = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    }

    /** Starts one, and returns when it is inside its transaction and has written. */
    static Writer inside(Dialect dialect, String url, long token) throws IOException {
        Writer writer = new Writer(new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx128m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Writer.class.getName(),
                        dialect.name(),
                        url,
                        Long.toString(token)))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
        String said = writer.answer();
        if (!said.equals("> inside")) {
            throw new IOException("the writer said '" + said + "'");
        }
        return writer;
    }

    private String answer() throws IOException {
        for (String line = answers.readLine(); line != null; line = answers.readLine()) {
            if (line.startsWith("> ")) {
                return line;
            }
        }
        throw new IOException("the writer ended");
    }

    void signal(String name) throws IOException {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .onExit()
                .join();
    }

    /** Ends it as kill -9 does. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Whether its commit succeeds. */
    boolean commits() throws IOException {
        orders.println("commit");
        return answer().equals(COMMITTED);
    }

    @Override
    public void close() {
        kill();
    }

    /** Runs in the other process. */
    public static void main(String[] arguments) throws Exception {
        JdbcGuard guard = new JdbcGuard(Dialect.valueOf(arguments[0]));
        try (Connection connection = DriverManager.getConnection(arguments[1])) {
            connection.setAutoCommit(false);
            long token = Long.parseLong(arguments[2]);
            guard.enter(connection, Access.exclusive(CrashContract.KEY, token));
            CrashContract.increment(connection, token);
            System.out.println("> inside");
            int order = System.in.read();
            try {
                connection.commit();
                System.out.println(COMMITTED + (order < 0 ? " unasked" : ""));
            } catch (SQLException e) {
                System.out.println("> failed: " + e.getMessage());
            }
        }
    }
}
