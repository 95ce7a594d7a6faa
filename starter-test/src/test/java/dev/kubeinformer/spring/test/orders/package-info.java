/**
 * Application whose manifests the tests write.
 */
package dev.kubeinformer.spring.test.orders;
