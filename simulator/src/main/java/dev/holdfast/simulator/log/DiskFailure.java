package dev.holdfast.simulator.log;

import java.io.IOException;

/** A flush failed: whoever goes on would promise what it may not have. */
public final class DiskFailure extends IOException {
    private static final long serialVersionUID = 1;

    DiskFailure() {
        super("input/output error");
    }
}
