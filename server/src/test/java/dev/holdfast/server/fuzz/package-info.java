@NullMarked
package dev.holdfast.server.fuzz;

import org.jspecify.annotations.NullMarked;
