package dev.holdfast.consensus.disk;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A disk that loses power at some flush: of what was not flushed before, any sectors may be missing. */
final class PowerCut implements FileOpener {
    private final Random random;
    private final AtomicInteger flushesLeft;

    PowerCut(Random random, int flushes) {
        this.random = random;
        this.flushesLeft = new AtomicInteger(flushes);
    }

    boolean happened() {
        return flushesLeft.get() < 0;
    }

    @Override
    public FileChannel open(Path file, OpenOption... options) throws IOException {
        FileChannel channel = FileChannel.open(file, options);
        if (!file.getFileName().toString().startsWith("log-")) {
            return channel;
        }
        return new FilterChannel(channel) {
            private final Map<Long, byte[]> unflushed = new TreeMap<>();
            private long flushedSize = size();

            @Override
            public int write(ByteBuffer bytes, long at) throws IOException {
                for (long sector = at / 512; sector * 512 < at + bytes.remaining(); sector++) {
                    if (!unflushed.containsKey(sector)) {
                        unflushed.put(sector, content(sector));
                    }
                }
                return super.write(bytes, at);
            }

            @Override
            public void force(boolean metadata) throws IOException {
                if (flushesLeft.getAndDecrement() <= 0) {
                    lose();
                    throw new IOException("power cut");
                }
                super.force(metadata);
                flushedSize = size();
                unflushed.clear();
            }

            private byte[] content(long sector) throws IOException {
                byte[] content = new byte[512];
                try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
                    in.seek(sector * 512);
                    in.read(content);
                }
                return content;
            }

            private void lose() throws IOException {
                int kept = random.nextInt(5);
                for (Map.Entry<Long, byte[]> sector : unflushed.entrySet()) {
                    if (random.nextInt(4) >= kept) {
                        super.write(ByteBuffer.wrap(sector.getValue()), sector.getKey() * 512);
                    }
                }
                if (size() > flushedSize && random.nextBoolean()) {
                    super.truncate(flushedSize + random.nextLong(Math.min(8192, size() - flushedSize)));
                }
            }
        };
    }
}
