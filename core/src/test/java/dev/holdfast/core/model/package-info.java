/** The second, naive implementation of the lock machine, and the seeded comparison of the two. */
@NullMarked
package dev.holdfast.core.model;

import org.jspecify.annotations.NullMarked;
