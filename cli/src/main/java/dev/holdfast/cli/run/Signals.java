package dev.holdfast.cli.run;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/**
 * Has signals do something else than end this process.
 *
 * <p>Through {@code sun.misc.Signal}, which JEP 260 keeps for this, and by reflection: javac warns of every mention of it
 * in a way that no annotation turns off.
 */
final class Signals {
    private Signals() {}

    /** Redirects a signal, unless it is ignored: then it stays so, for the child as well, as nohup wants it. */
    static void redirect(StopSignal signal, Runnable action) {
        try {
            Class<?> signals = Class.forName("sun.misc.Signal");
            Class<?> handlers = Class.forName("sun.misc.SignalHandler");
            Object named = signals.getConstructor(String.class).newInstance(signal.name());
            Object handler =
                    Proxy.newProxyInstance(Signals.class.getClassLoader(), new Class<?>[] {handlers}, running(action));
            Object before = signals.getMethod("handle", signals, handlers).invoke(null, named, handler);
            Object ignoring = handlers.getField("SIG_IGN").get(null);
            if (ignoring.equals(before)) {
                var unused = signals.getMethod("handle", signals, handlers).invoke(null, named, ignoring);
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this JVM does not pass signals on: " + e, e);
        }
    }

    private static InvocationHandler running(Runnable action) {
        return (proxy, method, arguments) -> {
            if (method.getName().equals("handle")) {
                action.run();
                return null;
            }
            throw new UnsupportedOperationException(method.toString());
        };
    }
}
