package dev.holdfast.consensus.ratis.wire;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where other members reach this one: a thread for each connection. */
final class PeerPort implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(PeerPort.class);
    /** Members are few; but a new connection may come before an old one is noticed to be dead. */
    static final int MAX_CONNECTIONS = 128;

    private static final int BACKLOG = 50;

    private final String name;
    private final PeerSockets sockets;
    private final PeerService service;
    private final ServerSocket port;
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private final Semaphore room = new Semaphore(MAX_CONNECTIONS);

    PeerPort(String name, InetSocketAddress at, PeerSockets sockets, PeerService service) throws IOException {
        this.name = name;
        this.sockets = sockets;
        this.service = service;
        this.port = new ServerSocket();
        // A port that was just in use may be taken again at once.
        port.setReuseAddress(true);
        port.bind(at, BACKLOG);
        start("accept", this::accept);
    }

    InetSocketAddress address() {
        return (InetSocketAddress) port.getLocalSocketAddress();
    }

    private void start(String part, Runnable work) {
        Thread thread = new Thread(work, name + '-' + part);
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!port.isClosed()) {
            try {
                Socket socket = port.accept();
                if (!room.tryAcquire()) {
                    LOG.warn("{}: more than {} connections: another one is refused", name, MAX_CONNECTIONS);
                    socket.close();
                    continue;
                }
                connections.add(socket);
                start("peer", () -> serve(socket));
            } catch (IOException e) {
                if (!port.isClosed()) {
                    LOG.warn("{}: a connection could not be accepted: {}", name, e.toString());
                }
            }
        }
    }

    private void serve(Socket socket) {
        try {
            if (!port.isClosed()) {
                new Conversation(sockets.accept(socket), service).run();
            }
        } catch (EOFException | SocketException e) {
            LOG.debug("{}: {} has gone: {}", name, socket.getRemoteSocketAddress(), e.toString());
        } catch (IOException | RuntimeException e) {
            LOG.warn("{}: {} is not heard: {}", name, socket.getRemoteSocketAddress(), e.toString());
        } finally {
            end(socket);
            connections.remove(socket);
            room.release();
        }
    }

    private void end(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("{}: closing {}: {}", name, socket.getRemoteSocketAddress(), e.toString());
        }
    }

    @Override
    public void close() throws IOException {
        port.close();
        connections.forEach(this::end);
    }
}
