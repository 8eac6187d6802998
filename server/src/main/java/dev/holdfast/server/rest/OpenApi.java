package dev.holdfast.server.rest;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.HttpService;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** Serves the description of this interface. */
final class OpenApi {
    private static final byte[] DOCUMENT = read();

    static final HttpService SERVICE = (context, request) -> HttpResponse.of(HttpStatus.OK, MediaType.JSON, DOCUMENT);

    private OpenApi() {}

    private static byte[] read() {
        try (InputStream in = OpenApi.class.getResourceAsStream("openapi.json")) {
            if (in == null) {
                throw new IllegalStateException("openapi.json is missing beside " + OpenApi.class.getName());
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
