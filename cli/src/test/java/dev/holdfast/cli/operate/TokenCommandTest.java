package dev.holdfast.cli.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.core.LockKey;
import dev.holdfast.server.access.Principal;
import dev.holdfast.server.access.Verb;
import dev.holdfast.server.settings.AuthSettings;
import dev.holdfast.server.token.Tokens;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class TokenCommandTest {
    @TempDir
    Path directory;

    private final StringWriter out = new StringWriter();
    private Path secret;

    @BeforeEach
    void secret() throws Exception {
        secret = Files.writeString(directory.resolve("secret"), "0123456789abcdef0123456789abcdef\n");
    }

    private int run(String... args) {
        return new CommandLine(new TokenCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(new StringWriter()))
                .execute(args);
    }

    @Test
    void a_node_with_the_same_secret_believes_the_token() throws Exception {
        int code = run("--secret", secret.toString(), "--sub", "ann", "--tenant", "acme", "--allow", "acme/x=y/=lock");

        assertThat(code).isEqualTo(ExitCode.OK);
        Tokens tokens = new Tokens(new AuthSettings(secret, "holdfast", Optional.empty()), Clock.systemUTC());
        Principal principal = tokens.authenticate("Bearer " + out.toString().strip());
        assertThat(principal.id()).isEqualTo("acme/ann");
        assertThat(principal.may(Verb.LOCK, LockKey.of("acme/x=y/1"))).isTrue();
        assertThat(principal.may(Verb.READ, LockKey.of("acme/z"))).isFalse();
    }

    @Test
    void a_permission_of_another_form_is_refused() {
        assertThat(run("--secret", secret.toString(), "--sub", "ann", "--allow", "acme/"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(run("--secret", secret.toString(), "--sub", "ann", "--allow", "acme/=root"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(out.toString()).isEmpty();
    }
}
