/**
 * The starter on API servers that WireMock stubs.
 */
@NullMarked
package dev.kubeinformer.spring.wiremock;

import org.jspecify.annotations.NullMarked;
