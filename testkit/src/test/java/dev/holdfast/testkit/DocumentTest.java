package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.launcher.listeners.TestExecutionSummary;
import org.opentest4j.AssertionFailedError;

/** The example of docs/testkit.md is compiled and run as it stands there. */
@Tag("slow")
@Timeout(120)
class DocumentTest {
    private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern NAME = Pattern.compile("^(?:final )?class (\\w+)", Pattern.MULTILINE);

    @TempDir
    Path directory;

    @Test
    void example_passes() throws Exception {
        TestExecutionSummary summary = run("new MemoryGuard()");
        assertThat(summary.getFailures()).isEmpty();
        assertThat(summary.getTestsSucceededCount()).isEqualTo(2);
    }

    @Test
    void example_fails_without_its_guard() throws Exception {
        TestExecutionSummary summary = run("access -> dev.holdfast.guard.Entry.NEW");
        assertThat(summary.getFailures()).singleElement().satisfies(failure -> {
            assertThat(failure.getTestIdentifier().getDisplayName()).contains("does_not_write_stale");
            assertThat(failure.getException()).isInstanceOf(AssertionFailedError.class);
        });
        assertThat(summary.getTestsSucceededCount()).isEqualTo(1);
    }

    private TestExecutionSummary run(String guard) throws Exception {
        List<Path> sources = new ArrayList<>();
        for (MatchResult found : JAVA.matcher(Files.readString(Path.of("..", "docs", "testkit.md")))
                .results()
                .toList()) {
            Matcher name = NAME.matcher(found.group(1));
            assertThat(name.find()).as(found.group(1)).isTrue();
            sources.add(Files.writeString(
                    directory.resolve(name.group(1) + ".java"), found.group(1).replace("new MemoryGuard()", guard)));
        }
        assertThat(sources).hasSize(2);
        compile(sources);
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {directory.toUri().toURL()}, DocumentTest.class.getClassLoader())) {
            return ExtensionTest.run(loader.loadClass("StockServiceTest"));
        }
    }

    private void compile(List<Path> sources) throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter problems = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            boolean compiled = compiler.getTask(
                            problems,
                            files,
                            null,
                            List.of("-d", directory.toString(), "-cp", System.getProperty("java.class.path")),
                            null,
                            files.getJavaFileObjectsFromPaths(sources))
                    .call();
            assertThat(compiled).as(problems.toString()).isTrue();
        }
    }
}
