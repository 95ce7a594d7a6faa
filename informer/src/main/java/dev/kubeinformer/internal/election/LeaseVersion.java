package dev.kubeinformer.internal.election;

/**
 * Record with the version of the Lease that it was read from.
 *
 * @param record the record
 * @param resourceVersion the version
 */
public record LeaseVersion(LeaseRecord record, String resourceVersion) {

}
