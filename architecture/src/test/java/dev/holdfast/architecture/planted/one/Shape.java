package dev.holdfast.architecture.planted.one;

import java.util.List;

/** Is told apart as no sealed type should be, and as one may be. */
public sealed interface Shape {
    Kind kind();

    /** One that nothing has, and one that two have. */
    enum Kind {
        ROUND,
        SQUARE,
        TRIANGLE
    }

    /** A group within the type. */
    sealed interface Cornered extends Shape {}

    record Round() implements Shape {
        @Override
        public Kind kind() {
            return Kind.ROUND;
        }
    }

    record Square() implements Cornered {
        @Override
        public Kind kind() {
            return Kind.ROUND;
        }
    }

    static String chain(Shape shape) {
        if (shape instanceof Round) {
            return "round";
        }
        return shape instanceof Square ? "square" : "";
    }

    static boolean lambda(List<Shape> shapes, Shape shape) {
        return shape instanceof Cornered && shapes.stream().anyMatch(each -> each instanceof Round);
    }

    static boolean question(Shape shape) {
        return shape instanceof Round;
    }

    static boolean closer(Shape shape) {
        return shape instanceof Cornered && !(shape instanceof Square);
    }
}
