/** One run of everything: a cluster, clients that use it, trouble, healing, and the verdict. */
@NullMarked
package dev.holdfast.simulator.run;

import org.jspecify.annotations.NullMarked;
