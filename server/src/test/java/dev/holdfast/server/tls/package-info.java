@NullMarked
package dev.holdfast.server.tls;

import org.jspecify.annotations.NullMarked;
