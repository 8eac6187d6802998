package dev.holdfast.bench.side;

/** A client of a lock service, shared by the threads of a process. */
public interface LockClient extends AutoCloseable {
    /** A lock for one thread. Those of one key exclude each other, whichever thread they were made for. */
    Mutex mutex(String key) throws Exception;

    @Override
    void close();

    /** An exclusive lock; used by one thread. */
    interface Mutex {
        /** Returns when the lock is held. */
        void lock() throws Exception;

        void unlock() throws Exception;
    }
}
