package dev.holdfast.simulator.plant;

import static net.bytebuddy.matcher.ElementMatchers.isConstructor;
import static net.bytebuddy.matcher.ElementMatchers.named;

import java.lang.instrument.Instrumentation;
import java.util.function.Supplier;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.agent.builder.ResettableClassFileTransformer;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;

/**
 * Changes loaded classes, and changes them back. So the code that is tested carries no switches, and what is planted is
 * planted into the very code that runs in production.
 */
final class Planting {
    private static final Instrumentation JVM = ByteBuddyAgent.install();
    private static final AgentBuilder.RedefinitionStrategy AGAIN = AgentBuilder.RedefinitionStrategy.RETRANSFORMATION;

    private Planting() {}

    /** Does something while a bug is there. */
    static <T> T with(PlantedBug bug, Supplier<T> task) throws ClassNotFoundException {
        var loaded = Class.forName(bug.type());
        ElementMatcher<MethodDescription> method =
                bug.method().equals("<init>") ? isConstructor() : named(bug.method());
        ResettableClassFileTransformer planted = new AgentBuilder.Default()
                .disableClassFormatChanges()
                .with(AGAIN)
                .with(AgentBuilder.RedefinitionStrategy.Listener.ErrorEscalating.FAIL_FAST)
                .with(AgentBuilder.Listener.StreamWriting.toSystemError().withErrorsOnly())
                .type(named(loaded.getName()))
                .transform((builder, type, loader, module, domain) ->
                        builder.visit(Advice.to(bug.change()).on(method)))
                .installOn(JVM);
        try {
            return task.get();
        } finally {
            planted.reset(JVM, AGAIN);
        }
    }
}
