/** The lock service over HTTP with JSON: for any program that can send a request. */
@NullMarked
package dev.holdfast.server.rest;

import org.jspecify.annotations.NullMarked;
