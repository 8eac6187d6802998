package dev.holdfast.bench.side;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class CpuTimeTest {
    @Test
    void user_and_system_time_are_found_behind_any_name() {
        String stat = "17 (a) b 1 (c) S 1 17 17 0 -1 4194304 500 0 3 0 250 50 0 0 20 0 1 0 100 0 0";
        assertThat(CpuTime.seconds(stat)).isEqualTo(3.0);
    }

    @Test
    void time_of_this_process_grows_while_it_works() throws Exception {
        long own = ProcessHandle.current().pid();
        double before = CpuTime.ofProcess(own);
        long spun = 0;
        while (CpuTime.ofProcess(own) < before + 0.05) {
            spun++;
        }
        assertThat(spun).isPositive();
    }
}
