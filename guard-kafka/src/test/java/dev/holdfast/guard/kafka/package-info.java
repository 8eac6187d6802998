/** Fencing what goes through Kafka: the recipe of docs/fencing-kafka.md, and tests of it on a real broker. */
@org.jspecify.annotations.NullMarked
package dev.holdfast.guard.kafka;
