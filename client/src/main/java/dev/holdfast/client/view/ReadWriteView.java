package dev.holdfast.client.view;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;

/** The two modes of one lock. */
record ReadWriteView(Lock readLock, Lock writeLock) implements ReadWriteLock {}
