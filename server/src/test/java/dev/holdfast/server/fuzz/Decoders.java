package dev.holdfast.server.fuzz;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.util.Base64URL;
import dev.holdfast.core.codec.CodecException;
import dev.holdfast.core.codec.CommandCodec;
import dev.holdfast.core.snapshot.SnapshotReader;
import dev.holdfast.server.grpc.FrameDecoder;
import dev.holdfast.server.operation.Bounds;
import dev.holdfast.server.replica.LockReplica;
import dev.holdfast.server.request.Rejected;
import dev.holdfast.server.rest.RestDecoder;
import dev.holdfast.server.settings.AuthSettings;
import dev.holdfast.server.token.Tokens;
import dev.holdfast.server.websocket.SocketDecoder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * Whatever reads bytes that others sent. Each either reads them or refuses by name; anything else that comes out is a
 * finding of the fuzzer, which calls {@link #fuzzerTestOneInput}.
 */
public enum Decoders {
    SESSION_FRAME {
        @Override
        void read(byte[] bytes) {
            FrameDecoder.frame(bytes, BOUNDS);
        }
    },
    REST_BODY {
        @Override
        void read(byte[] bytes) {
            RestDecoder.body(bytes, BOUNDS);
        }
    },
    REST_NAME {
        @Override
        void read(byte[] bytes) {
            RestDecoder.names(bytes);
        }
    },
    SOCKET_MESSAGE {
        @Override
        void read(byte[] bytes) {
            SocketDecoder.message(bytes, BOUNDS);
        }
    },
    LOG_ENTRY {
        @Override
        void read(byte[] bytes) {
            try {
                var unused = CommandCodec.decode(bytes);
            } catch (CodecException refused) {
                requireReason(refused);
            }
        }
    },
    /** The payload of frames whose checksums are right, or a fuzzer would not come past those. */
    SNAPSHOT {
        @Override
        void read(byte[] bytes) {
            CRC32C checksum = new CRC32C();
            checksum.update(bytes);
            byte[] frame = ByteBuffer.allocate(bytes.length + 2 * Integer.BYTES)
                    .putInt(bytes.length)
                    .put(bytes)
                    .putInt((int) checksum.getValue())
                    .array();
            try {
                SnapshotReader reader = new SnapshotReader();
                reader.feed(frame, frame.length);
                var unused = reader.finish();
            } catch (CodecException refused) {
                requireReason(refused);
            }
        }
    },
    TOKEN {
        @Override
        void read(byte[] bytes) {
            authenticate(new String(bytes, StandardCharsets.UTF_8));
        }
    },
    /** A header and claims, parted by a line break, with a good signature: what comes after it was checked. */
    SIGNED_TOKEN {
        @Override
        void read(byte[] bytes) {
            String[] parts = new String(bytes, StandardCharsets.UTF_8).split("\n", 2);
            String signed = Base64URL.encode(parts[0]) + "." + Base64URL.encode(parts.length < 2 ? "" : parts[1]);
            try {
                authenticate(signed + "."
                        + Base64URL.encode(new MACSigner(SECRET)
                                .sign(new JWSHeader(JWSAlgorithm.HS256), signed.getBytes(StandardCharsets.US_ASCII))
                                .decode()));
            } catch (JOSEException e) {
                throw new AssertionError(e);
            }
        }
    };

    /** An input's first byte is a place in this. */
    private static final List<Decoders> ALL = List.of(values());

    private static final Bounds BOUNDS = new Bounds(new LockReplica(role -> {}, (message, cause) -> {}));
    private static final String SECRET = "a secret of tests, which everybody may know";
    private static final Tokens TOKENS = tokens();

    abstract void read(byte[] bytes);

    /** An input for one of these: which one, then what it reads. */
    byte[] input(byte[] bytes) {
        return ByteBuffer.allocate(bytes.length + 1)
                .put((byte) ALL.indexOf(this))
                .put(bytes)
                .array();
    }

    /** Called by the fuzzer. */
    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length > 0 && input[0] >= 0 && input[0] < ALL.size()) {
            ALL.get(input[0]).read(Arrays.copyOfRange(input, 1, input.length));
        }
    }

    private static void authenticate(String token) {
        try {
            var unused = TOKENS.authenticate("Bearer " + token);
        } catch (Rejected refused) {
            if (!refused.rejection().code().name().equals("UNAUTHENTICATED")) {
                throw new AssertionError(refused);
            }
        }
    }

    private static void requireReason(CodecException refused) {
        if (refused.getMessage() == null || refused.getMessage().isEmpty()) {
            throw new AssertionError("a refusal without a reason", refused);
        }
    }

    private static Tokens tokens() {
        try {
            Path keys = Files.createTempFile("holdfast-fuzz", ".secret");
            Files.writeString(keys, SECRET);
            Tokens tokens = new Tokens(new AuthSettings(keys, "holdfast", Optional.empty()), Clock.systemUTC());
            Files.delete(keys);
            return tokens;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
