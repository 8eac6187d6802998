package dev.holdfast.server.settings;

/**
 * Where a node listens, and where others find it.
 *
 * @param client what to serve clients on; not used by a witness
 * @param insecure whether addresses other than loopback may be used although nothing protects them
 */
public record AddressSettings(
        HostPort client, HostPort clientAdvertised, HostPort peer, HostPort peerAdvertised, boolean insecure) {}
