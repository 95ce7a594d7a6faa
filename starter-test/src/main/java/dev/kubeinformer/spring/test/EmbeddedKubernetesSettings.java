package dev.kubeinformer.spring.test;

/**
 * What {@link EmbeddedKubernetesTest @EmbeddedKubernetesTest} says about the server.
 *
 * @param bookmarkMillis the period of bookmarks in milliseconds
 */
record EmbeddedKubernetesSettings(long bookmarkMillis) {

}
