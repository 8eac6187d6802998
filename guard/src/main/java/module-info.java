/** Guards: what makes a protected resource refuse clients that no longer hold its lock. */
module dev.holdfast.guard {
    requires static transitive org.jspecify;

    exports dev.holdfast.guard;
    exports dev.holdfast.guard.file;
}
