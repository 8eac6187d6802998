package dev.holdfast.contract;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;

/** A certificate that is its own authority, and its key, as files in PEM form. It protects nothing. */
record SelfSigned(Path certificate, Path key) {
    private static final String PASSWORD = "changeit";

    /** Makes one for whoever is at this machine's loopback address. */
    static SelfSigned make(Path directory, String name) throws Exception {
        Path store = directory.resolve(name + ".p12");
        Process making = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        name,
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "san=ip:127.0.0.1",
                        "-validity",
                        "365",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        store.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (making.waitFor() != 0) {
            throw new IOException("keytool failed for " + name);
        }
        KeyStore made = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            made.load(in, PASSWORD.toCharArray());
        }
        return new SelfSigned(
                pem(
                        directory.resolve(name + ".pem"),
                        "CERTIFICATE",
                        made.getCertificate(name).getEncoded()),
                pem(
                        directory.resolve(name + ".key"),
                        "PRIVATE KEY",
                        made.getKey(name, PASSWORD.toCharArray()).getEncoded()));
    }

    private static Path pem(Path file, String what, byte[] content) throws IOException {
        return Files.writeString(
                file,
                "-----BEGIN " + what + "-----\n" + Base64.getMimeEncoder().encodeToString(content) + "\n-----END "
                        + what + "-----\n");
    }
}
