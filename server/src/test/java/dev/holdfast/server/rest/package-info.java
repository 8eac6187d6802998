@NullMarked
package dev.holdfast.server.rest;

import org.jspecify.annotations.NullMarked;
