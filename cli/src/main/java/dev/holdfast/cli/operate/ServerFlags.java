package dev.holdfast.cli.operate;

import com.linecorp.armeria.common.FlagsProvider;

/**
 * What the server library may do in a process of ours.
 *
 * <p>As soon as a client of it is made, it would start a resolver of its own only to see how it is configured, and leave
 * the resolver's datagram port open on every address of the machine. Here it uses the JDK's. Found by the library in
 * {@code META-INF/services}: of this module and not of the server's, for a program that embeds a node decides for itself.
 */
public final class ServerFlags implements FlagsProvider {
    /** Above the library's own defaults, below what is given as a system property. */
    private static final int PRIORITY = 10;

    @Override
    public int priority() {
        return PRIORITY;
    }

    @Override
    public Boolean useJdkDnsResolver() {
        return true;
    }
}
