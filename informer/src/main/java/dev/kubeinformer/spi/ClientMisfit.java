package dev.kubeinformer.spi;

/**
 * Incompatible libraries below the HTTP client. Internal to the starter.
 *
 * @param message the missing class or member, with the jars of both sides
 * @param advice the remedy
 */
public record ClientMisfit(String message, String advice) {

}
