package dev.holdfast.client.grant;

import dev.holdfast.client.api.Loss;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A grant ends once, by release or by loss, in every interleaving. */
@Tag("slow")
public class GrantEndLincheckTest {
    private final GrantEnd ending = new GrantEnd();

    @Operation
    public boolean release() {
        return ending.release();
    }

    @Operation
    public boolean lose() {
        return ending.lose(new Loss(Loss.Reason.EXPIRED, ""));
    }

    @Operation
    public boolean isHeld() {
        return ending.isHeld();
    }

    @Operation
    public boolean isReleased() {
        return ending.isReleased();
    }

    @Operation
    public boolean isLost() {
        return ending.loss().isPresent();
    }

    @Test
    void in_every_interleaving_that_can_be_tried_one_by_one() {
        new ModelCheckingOptions().iterations(20).invocationsPerIteration(500).check(getClass());
    }

    @Test
    void in_those_that_happen() {
        new StressOptions().iterations(20).invocationsPerIteration(500).check(getClass());
    }
}
