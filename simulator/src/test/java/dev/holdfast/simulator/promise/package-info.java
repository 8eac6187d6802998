/** Each check on its own. */
@NullMarked
package dev.holdfast.simulator.promise;

import org.jspecify.annotations.NullMarked;
