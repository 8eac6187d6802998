/**
 * Guards that keep their marks in the database that they protect, and change them in the caller's transaction.
 *
 * <p>{@link dev.holdfast.guard.jdbc.JdbcGuard} has a table of its own and knows the whole rule of
 * {@link dev.holdfast.guard.FencingGuard}. {@link dev.holdfast.guard.jdbc.GuardedTable} needs one more column in a table
 * of the caller's and guards row by row.
 */
@org.jspecify.annotations.NullMarked
package dev.holdfast.guard.jdbc;
