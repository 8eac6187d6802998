/** The lock machine of this node, and those who follow what is applied to it. */
@NullMarked
package dev.holdfast.server.replica;

import org.jspecify.annotations.NullMarked;
