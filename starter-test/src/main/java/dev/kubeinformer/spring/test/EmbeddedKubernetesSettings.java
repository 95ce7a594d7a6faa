package dev.kubeinformer.spring.test;

/**
 * What {@link EmbeddedKubernetesTest @EmbeddedKubernetesTest} says about the server.
 *
 * @param bookmarkMillis the period of bookmarks in milliseconds
 * @param garbageCollection whether objects are deleted whose owners are gone
 */
record EmbeddedKubernetesSettings(long bookmarkMillis, boolean garbageCollection) {

}
