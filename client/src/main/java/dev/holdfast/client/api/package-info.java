/** What the client gives its users: grants, watches, elections, descriptions of locks, and exceptions. */
@NullMarked
package dev.holdfast.client.api;

import org.jspecify.annotations.NullMarked;
