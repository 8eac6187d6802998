/** Whether what clients saw can be explained by one correct lock that does one thing at a time. */
@NullMarked
package dev.holdfast.simulator.check;

import org.jspecify.annotations.NullMarked;
