package dev.kubeinformer.spi;

/**
 * Libraries below the HTTP client that do not fit together. Internal to the starter.
 *
 * @param message what is missing, with the jars of both sides
 * @param advice what to do
 */
public record ClientMisfit(String message, String advice) {

}
