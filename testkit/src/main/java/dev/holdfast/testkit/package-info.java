/**
 * A cluster for users' own tests: in the process, and in time that the test controls.
 *
 * <p>Begin at {@link dev.holdfast.testkit.HoldfastExtension} or, without JUnit, at
 * {@link dev.holdfast.testkit.TestCluster}.
 */
@NullMarked
package dev.holdfast.testkit;

import org.jspecify.annotations.NullMarked;
