/** Guards: what makes a protected resource refuse whoever holds its lock no more. */
module dev.holdfast.guard {
    requires static transitive org.jspecify;

    exports dev.holdfast.guard;
    exports dev.holdfast.guard.file;
}
