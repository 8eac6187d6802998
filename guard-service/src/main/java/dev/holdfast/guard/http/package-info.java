/** Fencing tokens in headers of HTTP: a servlet filter that compares them, and the client's side. */
@org.jspecify.annotations.NullMarked
package dev.holdfast.guard.http;
