package dev.holdfast.server.settings;

import dev.holdfast.consensus.Member;
import java.nio.file.Path;

/**
 * Who a node is and what it does.
 *
 * @param region what fails as one with it; empty if not said
 */
public record IdentitySettings(String name, String region, Member.Part part, Path dataDirectory) {}
