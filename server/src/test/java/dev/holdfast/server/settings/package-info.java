@NullMarked
package dev.holdfast.server.settings;

import org.jspecify.annotations.NullMarked;
