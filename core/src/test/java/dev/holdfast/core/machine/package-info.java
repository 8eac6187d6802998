/** Tests of the machine as a whole. */
@org.jspecify.annotations.NullMarked
package dev.holdfast.core.machine;
