/**
 * The rule by which a protected resource refuses a stale lock holder, and a guard that keeps it in memory.
 *
 * <p>Comparing tokens on writes is not enough: B (token 34) reads 5; A (token 33), who lost the lock long ago, writes,
 * which passes, for 33 is the highest token seen; B then writes what it made of the old value, and A's update is lost.
 * So the first act under a token, reads included, is to {@linkplain dev.holdfast.guard.FencingGuard#enter enter}.
 */
@org.jspecify.annotations.NullMarked
package dev.holdfast.guard;
