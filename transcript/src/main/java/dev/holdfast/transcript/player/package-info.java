/** Does what the steps say: keeps clients, replicas, watchers and protected stores, and runs the lock machine. */
@NullMarked
package dev.holdfast.transcript.player;

import org.jspecify.annotations.NullMarked;
