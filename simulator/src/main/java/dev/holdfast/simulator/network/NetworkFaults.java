package dev.holdfast.simulator.network;

/**
 * How bad the network is.
 *
 * @param lost of a million single messages, how many are lost
 * @param doubled of a million single messages, how many come twice
 * @param slow of a million messages of either kind, how many take much longer than others
 */
public record NetworkFaults(int lost, int doubled, int slow) {
    public static final NetworkFaults NONE = new NetworkFaults(0, 0, 0);
}
