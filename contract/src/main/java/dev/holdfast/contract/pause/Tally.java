package dev.holdfast.contract.pause;

import java.util.OptionalLong;

/**
 * A number in a store, which whoever holds a lock reads, adds one to and writes back.
 *
 * <p>Reading and writing are two accesses, two transactions where the store has such: the holder is stopped between
 * them. An implementation has a public constructor that takes one text; holders in other processes make it by name.
 */
public interface Tally extends AutoCloseable {
    /**
     * Reads the number.
     *
     * @return empty if the store refuses the token
     */
    OptionalLong read(long token) throws Exception;

    /**
     * Writes the number.
     *
     * @return false if the store refuses the token
     */
    boolean write(long token, long number) throws Exception;

    @Override
    void close();
}
