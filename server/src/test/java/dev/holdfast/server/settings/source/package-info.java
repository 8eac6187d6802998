@NullMarked
package dev.holdfast.server.settings.source;

import org.jspecify.annotations.NullMarked;
