/**
 * The {@link dev.holdfast.consensus.ReplicatedLog} on Apache Ratis.
 *
 * <p>Start reading at {@link dev.holdfast.consensus.ratis.RatisLog}. Nothing outside this package imports Ratis.
 * What is odd here answers an oddity there; the comment beside it says which.
 */
@NullMarked
package dev.holdfast.consensus.ratis;

import org.jspecify.annotations.NullMarked;
