/** ZooKeeper as one of the systems that are measured. */
@NullMarked
package dev.holdfast.bench.side.zookeeper;

import org.jspecify.annotations.NullMarked;
