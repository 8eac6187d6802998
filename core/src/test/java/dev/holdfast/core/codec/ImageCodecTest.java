package dev.holdfast.core.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.Limit;
import dev.holdfast.core.image.HeaderImage;
import org.junit.jupiter.api.Test;

class ImageCodecTest {
    @Test
    void snapshot_from_before_there_were_quotas_has_their_first_values() {
        ByteWriter out = new ByteWriter(64);
        for (int scalar = 0; scalar < 6; scalar++) {
            out.putUnsigned(scalar);
        }
        out.putFixed(Long.MIN_VALUE);
        out.putUnsigned(0);
        out.putUnsigned(1);
        out.putByte(Limit.LEASES.id());
        out.putUnsigned(77);

        HeaderImage header = ImageCodec.getHeader(new ByteReader(out.toByteArray()));

        assertThat(header.limits().get(Limit.LEASES)).isEqualTo(77);
        assertThat(header.limits().get(Limit.LOCKS_PER_TENANT)).isEqualTo(Limit.LOCKS_PER_TENANT.initial());
    }
}
