package dev.kubeinformer.spring.autoconfigure.client;

/**
 * Marker of the bean that checks the connections of a test's context. Where there is one,
 * the advice of a missing cluster speaks to a test. Internal to the starter.
 */
public interface ConnectionGuard {

}
