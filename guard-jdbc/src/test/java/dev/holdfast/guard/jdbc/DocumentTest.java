package dev.holdfast.guard.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.client.HoldfastClient;
import dev.holdfast.contract.LocalCluster;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** The Java that documents show of these guards is compiled and run as it stands there. */
@Timeout(180)
class DocumentTest {
    private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    @TempDir
    Path root;

    @Test
    void snippets_run() throws Exception {
        try (PostgreSqlServer database = PostgreSqlServer.started();
                LocalCluster cluster = LocalCluster.start(root.resolve("cluster"), 1);
                HoldfastClient client = HoldfastClient.create(cluster.endpoints())) {
            database.execute(
                    "CREATE TABLE orders (id bigint PRIMARY KEY, state text)", "INSERT INTO orders VALUES (42, 'new')");
            DataSource dataSource = new DriverManagerDataSource(database.url());
            List<String> snippets = snippets(Path.of("..", "docs", "fencing-jdbc.md"));
            assertThat(snippets).isNotEmpty();
            for (String snippet : snippets) {
                run(snippet.replace("localhost:4600", cluster.address(0)), dataSource, client);
            }
            for (String snippet : snippets(Path.of("..", "README.md"))) {
                if (snippet.contains("JdbcGuard")) {
                    run(snippet.replace("localhost:4600", cluster.address(0)), dataSource, client);
                }
            }
            assertThat(database.number("SELECT count(*) FROM orders WHERE state = 'sent'"))
                    .isEqualTo(1);
            assertThat(database.number("SELECT balance FROM accounts")).isEqualTo(90);
        }
    }

    private static List<String> snippets(Path page) throws Exception {
        return JAVA.matcher(Files.readString(page))
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
    }

    private void run(String snippet, DataSource dataSource, HoldfastClient client) throws Exception {
        Path directory = Files.createTempDirectory(root, "snippet");
        Path source = Files.writeString(directory.resolve("Snippet.java"), """
                import dev.holdfast.client.*;
                import dev.holdfast.client.api.*;
                import dev.holdfast.guard.*;
                import dev.holdfast.guard.jdbc.*;
                import java.sql.*;
                import java.time.Duration;
                import java.util.*;
                import javax.sql.DataSource;
                import org.springframework.jdbc.core.*;
                import org.springframework.jdbc.support.JdbcTransactionManager;
                import org.springframework.transaction.support.TransactionTemplate;
                public class Snippet {
                    public static void run(DataSource dataSource, HoldfastClient client) throws Exception {
                %s
                    }
                }
                """.formatted(snippet));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter problems = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            boolean compiled = compiler.getTask(
                            problems,
                            files,
                            null,
                            List.of("-d", directory.toString(), "-cp", System.getProperty("java.class.path")),
                            null,
                            files.getJavaFileObjects(source))
                    .call();
            assertThat(compiled).as(problems + snippet).isTrue();
        }
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {directory.toUri().toURL()}, DocumentTest.class.getClassLoader())) {
            loader.loadClass("Snippet")
                    .getMethod("run", DataSource.class, HoldfastClient.class)
                    .invoke(null, dataSource, client);
        }
    }
}
