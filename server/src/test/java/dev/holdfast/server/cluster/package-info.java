@NullMarked
package dev.holdfast.server.cluster;

import org.jspecify.annotations.NullMarked;
