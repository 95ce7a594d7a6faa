package dev.kubeinformer.spi;

/**
 * Incompatible versions of libraries that the HTTP client uses. Internal to the starter.
 *
 * @param message the missing class or member, the jar that should contain it, and the jar
 * that needs it
 * @param advice the remedy
 */
public record ClientMisfit(String message, String advice) {

}
