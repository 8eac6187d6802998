package dev.holdfast.datastore;

/** A request cannot be understood, or asks for what cannot be. Nothing was written. */
final class BadRequestException extends RuntimeException {
    private final String field;

    BadRequestException(String field, String problem) {
        super(field + ": " + problem);
        this.field = field;
    }

    String field() {
        return field;
    }
}
