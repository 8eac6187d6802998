package dev.holdfast.core;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.io.Serializable;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Calendar;
import java.util.Date;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.Timer;
import java.util.TimerTask;
import java.util.UUID;
import org.jspecify.annotations.NullMarked;

/**
 * Keeps the core a pure state machine: the same commands in the same order give the same state on every node.
 *
 * <p>So nothing in it may read a clock, draw a random number, start a thread or do I/O; time and randomness come in with
 * the commands.
 */
@AnalyzeClasses(packages = "dev.holdfast.core", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    private static final DescribedPredicate<JavaClass> PURE_LIBRARY = resideInAnyPackage(
                    "dev.holdfast.core..",
                    "org.jspecify..",
                    "java.lang..",
                    "java.util",
                    "java.util.function",
                    "java.util.zip")
            // Bytes and text, with the charset named.
            .or(belongToAnyOf(Charset.class, StandardCharsets.class))
            // Records, enums and lambdas refer to it unasked.
            .or(equivalentTo(Serializable.class))
            .as("are in java.lang, java.util, its functions and checksums, named charsets, jspecify or the core");

    private static final DescribedPredicate<JavaClass> CLOCK_CHANCE_OR_THREAD = assignableTo(Date.class)
            .or(assignableTo(Calendar.class))
            .or(assignableTo(Timer.class))
            .or(assignableTo(TimerTask.class))
            .or(assignableTo(Random.class))
            .or(assignableTo(SplittableRandom.class))
            .or(assignableTo(Thread.class))
            .or(assignableTo(ThreadLocal.class))
            .or(assignableTo(ThreadGroup.class))
            .as("are clocks, random numbers or threads");

    @ArchTest
    void core_depends_on_nothing_but_the_pure_part_of_the_library(JavaClasses core) {
        classes().should().onlyDependOnClassesThat(PURE_LIBRARY).check(core);
    }

    @ArchTest
    void core_knows_no_clock_no_chance_and_no_thread(JavaClasses core) {
        noClasses().should().dependOnClassesThat(CLOCK_CHANCE_OR_THREAD).check(core);
    }

    @ArchTest
    void core_draws_no_random_numbers_by_other_names(JavaClasses core) {
        noClasses()
                .should()
                .accessTargetWhere(member(Math.class, "random")
                        .or(member(StrictMath.class, "random"))
                        .or(member(UUID.class, "randomUUID")))
                .check(core);
    }

    /** The rest of System is the clock, the console and the surroundings of one process. */
    @ArchTest
    void core_uses_nothing_of_system_but_arraycopy(JavaClasses core) {
        noClasses()
                .should()
                .accessTargetWhere(memberOf(System.class).and(not(member(System.class, "arraycopy"))))
                .check(core);
    }

    /** Rounding may differ between what was stored and what is computed again. */
    @ArchTest
    void core_holds_no_floating_point(JavaClasses core) {
        noFields().should().haveRawType(floatingPoint()).check(core);
    }

    @ArchTest
    void names_say_what_a_class_is(JavaClasses core) {
        noClasses()
                .should()
                .haveSimpleNameEndingWith("Impl")
                .orShould()
                .haveSimpleNameEndingWith("Manager")
                .orShould()
                .haveSimpleNameEndingWith("Helper")
                .orShould()
                .haveSimpleNameEndingWith("Util")
                .check(core);
    }

    @ArchTest
    void every_package_is_null_marked(JavaClasses core) {
        classes().should(resideInANullMarkedPackage()).check(core);
    }

    /** Calls, field reads and method references alike; ArchUnit's own callMethod overlooks the references. */
    private static DescribedPredicate<JavaAccess<?>> memberOf(Class<?> owner) {
        return DescribedPredicate.describe(
                "it belongs to " + owner.getSimpleName(),
                access -> access.getTargetOwner().isEquivalentTo(owner));
    }

    private static DescribedPredicate<JavaAccess<?>> member(Class<?> owner, String name) {
        return DescribedPredicate.describe(
                "it is " + owner.getSimpleName() + "." + name,
                access -> access.getTargetOwner().isEquivalentTo(owner)
                        && access.getTarget().getName().equals(name));
    }

    private static DescribedPredicate<JavaClass> floatingPoint() {
        return DescribedPredicate.describe("float or double", type -> {
            JavaClass base = type.getBaseComponentType();
            return base.isEquivalentTo(float.class)
                    || base.isEquivalentTo(double.class)
                    || base.isEquivalentTo(Float.class)
                    || base.isEquivalentTo(Double.class);
        });
    }

    private static ArchCondition<JavaClass> resideInANullMarkedPackage() {
        return new ArchCondition<>("reside in a @NullMarked package") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                boolean marked = type.getPackage().isAnnotatedWith(NullMarked.class);
                events.add(new SimpleConditionEvent(
                        type, marked, type.getName() + " is in " + type.getPackageName() + ", not @NullMarked"));
            }
        };
    }
}
