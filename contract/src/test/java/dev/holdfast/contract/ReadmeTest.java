package dev.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The Java that documents show is compiled and run as it stands there. */
@Timeout(120)
class ReadmeTest {
    private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    @TempDir
    Path root;

    @Test
    void snippets_of_the_readme_and_of_the_clients_page_run() throws Exception {
        try (LocalCluster cluster = LocalCluster.start(root.resolve("cluster"), 1)) {
            for (String page : List.of("README.md", "docs/client.md")) {
                List<String> snippets = snippets(Path.of("..", page));
                assertThat(snippets).as(page).isNotEmpty();
                for (String snippet : snippets) {
                    run(snippet.replace("localhost:4600", cluster.address(0)));
                }
            }
        }
    }

    private static List<String> snippets(Path page) throws Exception {
        Matcher matcher = JAVA.matcher(Files.readString(page));
        return Stream.iterate(matcher.find(), found -> found, found -> matcher.find())
                .map(found -> matcher.group(1))
                // Guards of databases are tried where there are databases, in guard-jdbc.
                .filter(snippet -> !snippet.contains("JdbcGuard"))
                .toList();
    }

    private void run(String snippet) throws Exception {
        Path directory = Files.createTempDirectory(root, "snippet");
        String body = snippet.replace("directory", "java.nio.file.Path.of(\"" + directory.resolve("data") + "\")");
        Path source = Files.writeString(directory.resolve("Snippet.java"), """
                import dev.holdfast.client.*;
                import dev.holdfast.client.api.*;
                import dev.holdfast.embedded.Holdfast;
                import java.time.Duration;
                import java.util.*;
                import java.util.concurrent.*;
                import java.util.concurrent.locks.*;
                public class Snippet {
                    public static void run() throws Exception {
                %s
                    }
                }
                """.formatted(body));
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
                new URLClassLoader(new URL[] {directory.toUri().toURL()}, ReadmeTest.class.getClassLoader())) {
            loader.loadClass("Snippet").getMethod("run").invoke(null);
        }
    }
}
