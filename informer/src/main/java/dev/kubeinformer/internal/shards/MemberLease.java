package dev.kubeinformer.internal.shards;

/**
 * Lease of a member.
 *
 * @param name the name of the Lease, which is the name of the member
 * @param resourceVersion the version of the Lease with this record
 * @param record the record
 */
public record MemberLease(String name, String resourceVersion, MemberRecord record) {

}
