/**
 * Application whose manifests the tests write.
 */
package dev.kubeinformer.maven.orders;
