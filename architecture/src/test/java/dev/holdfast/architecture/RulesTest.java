package dev.holdfast.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.holdfast.architecture.planted.one.First;
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
}
