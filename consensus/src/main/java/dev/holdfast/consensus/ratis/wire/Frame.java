package dev.holdfast.consensus.ratis.wire;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.CodedOutputStream;
import org.apache.ratis.thirdparty.com.google.protobuf.MessageLite;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * One message on a connection: its length, the number of the call it belongs to, its bytes.
 *
 * @param call the caller's number; an answer has that of its question
 * @param body a message of the engine
 */
record Frame(long call, ByteString body) {
    /** Above the largest request: entries of 4 MB, with some room for what goes with them. */
    static final int LARGEST = 8 * 1024 * 1024;

    private static final int HEADER = Integer.BYTES + Long.BYTES;

    /** A message in one piece, so that it leaves in as few packets as can be. */
    static byte[] of(long call, MessageLite message) throws IOException {
        int size = message.getSerializedSize();
        if (size > LARGEST) {
            throw new IOException("a message to a member: at most " + LARGEST + " bytes, was " + size);
        }
        byte[] bytes = new byte[HEADER + size];
        ByteBuffer.wrap(bytes).putInt(size).putLong(call);
        CodedOutputStream body = CodedOutputStream.newInstance(bytes, HEADER, size);
        message.writeTo(body);
        body.checkNoSpaceLeft();
        return bytes;
    }

    static Frame read(DataInputStream in) throws IOException {
        int size = in.readInt();
        if (size < 0 || size > LARGEST) {
            throw new IOException("a message from a member: at most " + LARGEST + " bytes, was " + size
                    + "; does something else than a member speak here?");
        }
        long call = in.readLong();
        byte[] body = new byte[size];
        in.readFully(body);
        return new Frame(call, UnsafeByteOperations.unsafeWrap(body));
    }
}
