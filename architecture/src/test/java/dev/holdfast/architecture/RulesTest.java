package dev.holdfast.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.holdfast.architecture.planted.one.First;
import dev.holdfast.architecture.planted.one.Shape;
import org.junit.jupiter.api.Test;

/** The rules find what was planted for them. */
class RulesTest {
    private static final JavaClasses PLANTED = new ClassFileImporter()
            .importPackages(First.class.getPackageName(), "dev.holdfast.architecture.planted.two");

    @Test
    void cycle_of_packages_is_found_and_named() {
        assertThatThrownBy(() -> Rules.NO_CYCLES.check(PLANTED))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("Cycle detected: package architecture.planted.one")
                .hasMessageContaining("package architecture.planted.two")
                .hasMessageContaining("First")
                .hasMessageContaining("Second");
    }

    @Test
    void name_that_two_classes_have_is_found() {
        assertThat(Rules.namesUsedTwice(PLANTED))
                .containsExactly(
                        "dev.holdfast.architecture.planted.one.Same and dev.holdfast.architecture.planted.two.Same");
    }

    @Test
    void package_that_is_not_null_marked_is_found() {
        assertThat(Rules.packagesNotNullMarked(PLANTED)).containsExactly("dev.holdfast.architecture.planted.two");
    }

    @Test
    void chain_over_a_sealed_type_is_found_also_in_a_lambda_and_single_questions_are_not() {
        String shape = Shape.class.getName();
        assertThat(Rules.chainsOverSealedTypes(PLANTED))
                .containsExactly(
                        shape + ".chain(" + shape + ") asks which " + shape + " it is: [Round, Square]",
                        shape + ".lambda(java.util.List, " + shape + ") asks which " + shape
                                + " it is: [Cornered, Round]");
    }

    @Test
    void kind_that_is_wrong_and_kind_that_nothing_has_are_found() {
        String shape = Shape.class.getName();
        assertThat(Rules.kindsThatMislead(PLANTED))
                .containsExactly(
                        shape + "$Square says that it is [ROUND], not SQUARE",
                        "nothing is a " + shape + "$Kind.TRIANGLE");
    }
}
