package dev.holdfast.contract;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Stands between a client and a node, and can go silent: bytes wait, connections stay open, as when packets are
 * dropped. Or it breaks every connection.
 */
public final class Proxy implements AutoCloseable {
    private static final int BUFFER = 16 * 1024;

    private final ServerSocket server;
    private final int target;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition healed = lock.newCondition();
    private boolean toServerCut;
    private boolean toClientCut;
    private final AtomicLong bytesToClient = new AtomicLong();
    private volatile boolean closed;

    public Proxy(int target) throws IOException {
        this.target = target;
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start("proxy-accept", this::accept);
    }

    public int port() {
        return server.getLocalPort();
    }

    /** Nothing gets through any more, either way. */
    public void cut() {
        set(true, true);
    }

    /** The node hears the client, and the client does not hear the node. */
    public void cutAnswers() {
        set(false, true);
    }

    public void heal() {
        set(false, false);
    }

    private void set(boolean server, boolean client) {
        lock.lock();
        try {
            toServerCut = server;
            toClientCut = client;
            healed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Breaks all connections; what was held back is lost. */
    public void sever() {
        sockets.forEach(Proxy::quietly);
        sockets.clear();
    }

    public int connections() {
        return sockets.size() / 2;
    }

    /** How much clients were sent. */
    public long bytesToClient() {
        return bytesToClient.get();
    }

    private void accept() {
        while (!closed) {
            try {
                Socket client = server.accept();
                Socket node = new Socket(InetAddress.getLoopbackAddress(), target);
                client.setTcpNoDelay(true);
                node.setTcpNoDelay(true);
                sockets.add(client);
                sockets.add(node);
                start("proxy-to-node", () -> relay(client, node, true));
                start("proxy-to-client", () -> relay(node, client, false));
            } catch (IOException e) {
                if (closed) {
                    return;
                }
            }
        }
    }

    private void relay(Socket from, Socket to, boolean toServer) {
        byte[] buffer = new byte[BUFFER];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                awaitOpen(toServer);
                if (!toServer) {
                    bytesToClient.addAndGet(read);
                }
                out.write(buffer, 0, read);
                out.flush();
            }
        } catch (IOException | InterruptedException e) {
            // One side is gone, so the other goes as well.
        } finally {
            quietly(from);
            quietly(to);
            sockets.remove(from);
            sockets.remove(to);
        }
    }

    private void awaitOpen(boolean toServer) throws InterruptedException {
        lock.lock();
        try {
            while (!closed && (toServer ? toServerCut : toClientCut)) {
                healed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    private static void start(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    private static void quietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        heal();
        sever();
    }
}
