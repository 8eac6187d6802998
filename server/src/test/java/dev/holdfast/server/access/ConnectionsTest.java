package dev.holdfast.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConnectionsTest {
    private final Connections connections = new Connections(3);

    private EmbeddedChannel open() {
        EmbeddedChannel channel = new EmbeddedChannel();
        connections.opened(channel);
        return channel;
    }

    @Test
    void the_oldest_that_asked_nothing_makes_room() {
        EmbeddedChannel first = open();
        EmbeddedChannel second = open();
        EmbeddedChannel third = open();
        connections.asked(first);

        EmbeddedChannel fourth = open();

        assertThat(second.isOpen()).isFalse();
        assertThat(List.of(first, third, fourth)).allMatch(EmbeddedChannel::isOpen);
    }

    @Test
    void where_all_have_asked_something_the_newcomer_is_closed() {
        List<EmbeddedChannel> asked = new ArrayList<>(List.of(open(), open(), open()));
        asked.forEach(connections::asked);

        assertThat(open().isOpen()).isFalse();
        assertThat(asked).allMatch(EmbeddedChannel::isOpen);

        asked.remove(0).close().syncUninterruptibly();
        assertThat(open().isOpen()).isTrue();
    }

    @Test
    void as_many_as_there_are_files_left_for() {
        assertThat(Connections.possible(20_000, 65_536, 200)).isEqualTo(20_000);
        assertThat(Connections.possible(20_000, 1_024, 200)).isEqualTo(1_024 - 200 - 256 - 64);
        assertThat(Connections.possible(10, 600, 200)).isEqualTo(10);
        assertThatThrownBy(() -> Connections.possible(20_000, 400, 150))
                .hasMessageContaining("400 files")
                .hasMessageContaining("ulimit -n");
    }
}
