@NullMarked
package dev.holdfast.server.node;

import org.jspecify.annotations.NullMarked;
