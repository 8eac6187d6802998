package dev.holdfast.server.tls;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;

/** Speaks on a peer port as members do: a length, a number, a message. */
final class PeerFrames {
    private static final long NUMBER = 7;

    private PeerFrames() {}

    /** Whether a message that asks for nothing is answered, if only by a refusal. */
    static boolean answers(Socket socket) throws IOException {
        socket.getOutputStream()
                .write(ByteBuffer.allocate(Integer.BYTES + Long.BYTES)
                        .putLong(Integer.BYTES, NUMBER)
                        .array());
        DataInputStream in = new DataInputStream(socket.getInputStream());
        int length = in.readInt();
        return in.readLong() == NUMBER && in.readNBytes(length).length == length;
    }
}
