/** Guards in the databases that JDBC reaches. */
module dev.holdfast.guard.jdbc {
    requires transitive dev.holdfast.guard;
    requires transitive java.sql;
    requires static transitive org.jspecify;

    exports dev.holdfast.guard.jdbc;
}
