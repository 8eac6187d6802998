package dev.holdfast.bench.side.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class HeapUseTest {
    @Test
    void generations_are_added_and_metaspace_is_not() {
        String serial = """
                17:
                 def new generation   total 9216K, used 1000K [0x1, 0x2, 0x3)
                  eden space 8192K,   5% used [0x1, 0x2, 0x3)
                 tenured generation   total 10240K, used 500K [0x1, 0x2, 0x3)
                 Metaspace       used 60K, committed 256K, reserved 1114112K
                """;
        assertThat(HeapUse.used(serial)).isEqualTo(1_500 * 1_024);
    }

    @Test
    void newer_words_are_understood() {
        assertThat(HeapUse.used(" garbage-first heap   total reserved 6291456K, committed 1048576K, used 35037K [0x6"))
                .isEqualTo(35_037 * 1_024);
    }

    @Test
    void output_without_a_heap_is_an_error() {
        assertThatThrownBy(() -> HeapUse.used("17: no such process")).hasMessageContaining("no heap in");
    }

    @Test
    void heap_of_this_process_is_found() throws Exception {
        assertThat(HeapUse.afterCollection(ProcessHandle.current().pid())).isPositive();
    }
}
