/** Backups: a cluster's state in one file, and a new cluster out of it. */
@NullMarked
package dev.holdfast.server.backup;

import org.jspecify.annotations.NullMarked;
