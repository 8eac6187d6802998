package dev.holdfast.consensus.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/** A file channel that hands everything on; a test overrides what it wants to see or to fail. */
class FilterChannel extends FileChannel {
    protected final FileChannel to;

    FilterChannel(FileChannel to) {
        this.to = to;
    }

    @Override
    public int write(ByteBuffer bytes) throws IOException {
        return to.write(bytes);
    }

    @Override
    public int write(ByteBuffer bytes, long at) throws IOException {
        return to.write(bytes, at);
    }

    @Override
    public void force(boolean metadata) throws IOException {
        to.force(metadata);
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
        return to.truncate(size);
    }

    @Override
    public int read(ByteBuffer bytes) throws IOException {
        return to.read(bytes);
    }

    @Override
    public int read(ByteBuffer bytes, long at) throws IOException {
        return to.read(bytes, at);
    }

    @Override
    public long size() throws IOException {
        return to.size();
    }

    @Override
    public long position() throws IOException {
        return to.position();
    }

    @Override
    public FileChannel position(long at) throws IOException {
        return to.position(at);
    }

    @Override
    protected void implCloseChannel() throws IOException {
        to.close();
    }

    @Override
    public long write(ByteBuffer[] bytes, int offset, int length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long read(ByteBuffer[] bytes, int offset, int length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long transferTo(long at, long count, WritableByteChannel target) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long at, long count) {
        throw new UnsupportedOperationException();
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long at, long size) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileLock lock(long at, long size, boolean shared) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileLock tryLock(long at, long size, boolean shared) {
        throw new UnsupportedOperationException();
    }
}
