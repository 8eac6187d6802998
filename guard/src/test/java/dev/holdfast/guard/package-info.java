/** Tests of the guards. */
package dev.holdfast.guard;
