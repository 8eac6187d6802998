/**
 * Lock holders that are stopped in the middle of an update, for any store that wants to show that it refuses what they
 * write when they wake up.
 */
@org.jspecify.annotations.NullMarked
package dev.holdfast.contract.pause;
