/**
 * What Holdfast promises, each as a small check of what was applied and of what clients saw.
 *
 * <p>None of them shares code with what it checks: who conflicts with whom is written down here once more.
 */
@NullMarked
package dev.holdfast.simulator.promise;

import org.jspecify.annotations.NullMarked;
