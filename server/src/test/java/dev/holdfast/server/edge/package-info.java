@NullMarked
package dev.holdfast.server.edge;

import org.jspecify.annotations.NullMarked;
