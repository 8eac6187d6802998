@NullMarked
package dev.holdfast.server.operation;

import org.jspecify.annotations.NullMarked;
