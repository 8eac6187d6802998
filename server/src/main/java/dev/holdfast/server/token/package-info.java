/** Signed tokens: which keys are believed, and who a token says its bearer is. */
@NullMarked
package dev.holdfast.server.token;

import org.jspecify.annotations.NullMarked;
