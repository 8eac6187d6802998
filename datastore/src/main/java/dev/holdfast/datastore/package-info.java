/**
 * A small store behind HTTP, in one text file, whose writers show fencing tokens: what a protected resource looks like,
 * to try and to read.
 */
@org.jspecify.annotations.NullMarked
package dev.holdfast.datastore;
