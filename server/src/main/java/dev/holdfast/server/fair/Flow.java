package dev.holdfast.server.fair;

/**
 * Whose a request is. The requests of one flow stay in their order; flows take turns: parties first, then the
 * connections of each.
 *
 * @param party who asks: the principal, or the host where nobody is asked who they are
 * @param connection by which it came, so that those who cannot be told apart otherwise take turns too
 */
public record Flow(String party, String connection) {
    /** What a node asks of itself. */
    public static final Flow OF_NODE = new Flow("", "");
}
