package dev.kubeinformer.internal.transport;

/**
 * What discovery says of a resource.
 *
 * @param kind the kind of its objects; empty if it is not known
 * @param advice what to look at if requests for the resource find nothing, without a full
 * stop
 */
record DiscoveredResource(String kind, String advice) {

}
