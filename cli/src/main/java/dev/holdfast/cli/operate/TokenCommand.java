package dev.holdfast.cli.operate;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.holdfast.cli.exit.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code holdfast token}: a token for a try, by a secret that the nodes have as well. */
@Command(
        name = "token",
        description = {
            "Makes a token that is accepted by nodes with the same secret in auth.keys.",
            "",
            "For testing and small installations: elsewhere, an identity provider signs the tokens."
        },
        mixinStandardHelpOptions = true,
        exitCodeOnInvalidInput = ExitCode.USAGE,
        exitCodeOnExecutionException = ExitCode.FAULT,
        footerHeading = "%nExamples:%n",
        footer = {
            "  head -c 32 /dev/urandom | base64 >secret",
            "  holdfast token --secret secret --sub ann --allow orders/=lock --allow ''=read",
            "  export HOLDFAST_AUTH_TOKEN=$(holdfast token --secret secret --sub root --allow ''=admin)"
        })
final class TokenCommand implements Callable<Integer> {
    @Option(names = "--secret", required = true, paramLabel = "FILE", description = "the file that auth.keys names")
    @SuppressWarnings("NullAway.Init") // picocli sets what is required
    private Path secret;

    @Option(
            names = "--sub",
            required = true,
            paramLabel = "NAME",
            description = "the subject: whom the token " + "identifies")
    @SuppressWarnings("NullAway.Init") // picocli sets what is required
    private String subject;

    @Option(
            names = "--tenant",
            paramLabel = "NAME",
            description = "restrict the token to this tenant's keys, those " + "under NAME/")
    private String tenant = "";

    @Option(
            names = "--allow",
            paramLabel = "PREFIX=VERB",
            description = "allow read, lock or admin on the keys that start with PREFIX; can be repeated")
    private List<String> allowed = new ArrayList<>();

    @Option(names = "--audience", paramLabel = "NAME", description = "as in auth.audience (default: holdfast)")
    private String audience = "holdfast";

    @Option(names = "--hours", paramLabel = "N", description = "how many hours the token is valid (default: 12)")
    private int hours = 12;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before it runs the command
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, JOSEException {
        String text = new String(Files.readAllBytes(secret), StandardCharsets.ISO_8859_1).strip();
        JWTClaimsSet.Builder claims = new JWTClaimsSet.Builder()
                .subject(subject)
                .audience(audience)
                .expirationTime(Date.from(Instant.now().plus(Duration.ofHours(hours))))
                .claim("permissions", allowed.stream().map(this::permission).toList());
        if (!tenant.isEmpty()) {
            claims.claim("tenant", tenant);
        }
        SignedJWT token = new SignedJWT(new JWSHeader(JWSAlgorithm.HS256), claims.build());
        token.sign(new MACSigner(text.getBytes(StandardCharsets.ISO_8859_1)));
        spec.commandLine().getOut().println(token.serialize());
        return ExitCode.OK;
    }

    private Map<String, Object> permission(String text) {
        int equals = text.lastIndexOf('=');
        String verb = text.substring(equals + 1);
        if (equals < 0 || !List.of("read", "lock", "admin").contains(verb)) {
            throw new ParameterException(
                    spec.commandLine(), "--allow " + text + ": must be PREFIX=read, PREFIX=lock or PREFIX=admin");
        }
        return Map.of("prefix", text.substring(0, equals), "verbs", List.of(verb));
    }
}
