/** etcd as one of the systems that are measured. */
@NullMarked
package dev.holdfast.bench.side.etcd;

import org.jspecify.annotations.NullMarked;
